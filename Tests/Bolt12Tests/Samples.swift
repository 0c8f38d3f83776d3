import Bolt12
