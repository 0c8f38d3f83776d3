// swift-format-ignore-file
/// docs/admin-api.yaml, which the admin listener serves; written by Scripts/embed-openapi.
enum OpenAPIDocument {
    static let text = #"""
    openapi: 3.1.0
    info:
      title: The admin interface of lightning-responder
      version: "1"
      summary: Accounts, invoices, offers, events, the outbox, peers, health and metrics, for the operator.
      description: |
        The listener `admin-listen` serves it, over plain HTTP: keep it private. The bearer token is in `admin.token` of the
        data folder. Every path that answers GET answers HEAD, too.

        Amounts are whole numbers of millisatoshis (msat), durations are seconds, times are UTC. Keys, hashes and preimages
        are lower-case hexadecimal. Members listed under `required` are always there, with `null` where there is nothing to
        say; the others are left out. Pages are newest first; `next` of a page is what `after` takes for the page after it.
      license: {name: MIT, identifier: MIT}
    servers:
      - url: http://127.0.0.1:8081
    security:
      - token: []
    paths:
      /accounts:
        get:
          operationId: listAccounts
          summary: All accounts, by name.
          responses:
            "200":
              description: The accounts.
              content:
                application/json:
                  schema:
                    type: object
                    required: [accounts]
                    additionalProperties: false
                    properties:
                      accounts: {type: array, items: {$ref: "#/components/schemas/Account"}}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /accounts/{name}:
        parameters:
          - {name: name, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}, example: alice}
        get:
          operationId: showAccount
          summary: An account with its settings and its webhook.
          responses:
            "200": {$ref: "#/components/responses/Account"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
        put:
          operationId: putAccount
          summary: Adds an account, or replaces all its settings.
          description: |
            What is left out gets its default. What GET shows can be sent back: members that are not settings are ignored.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  $ref: "#/components/schemas/AccountSettings"
                  properties: {name: true, address: true, lnurl: true, version: true, createdAt: true, webhook: true}
                  unevaluatedProperties: false
                example: {description: Coffee for Bob, maxSendable: 100000000, commentAllowed: 100}
          responses:
            "200": {$ref: "#/components/responses/Account"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "413": {$ref: "#/components/responses/TooLarge"}
            "503": {$ref: "#/components/responses/Unavailable"}
        delete:
          operationId: removeAccount
          summary: Removes an account; its invoices stay in the ledger.
          responses:
            "200":
              description: The account is removed.
              content:
                application/json:
                  schema:
                    type: object
                    required: [removed]
                    additionalProperties: false
                    properties: {removed: {$ref: "#/components/schemas/Name"}}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /invoices:
        get:
          operationId: listInvoices
          summary: A page of issued invoices.
          parameters:
            - {$ref: "#/components/parameters/account"}
            - {name: state, in: query, schema: {$ref: "#/components/schemas/InvoiceState"}}
            - {$ref: "#/components/parameters/limit"}
            - {$ref: "#/components/parameters/after"}
          responses:
            "200":
              description: The page.
              content:
                application/json:
                  schema:
                    type: object
                    required: [invoices, next]
                    additionalProperties: false
                    properties:
                      invoices: {type: array, items: {$ref: "#/components/schemas/Invoice"}}
                      next: {$ref: "#/components/schemas/Next"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /invoices/{hash}:
        parameters:
          - {$ref: "#/components/parameters/hash"}
        get:
          operationId: showInvoice
          summary: An invoice, by its payment hash.
          responses:
            "200":
              description: The invoice.
              content: {application/json: {schema: {$ref: "#/components/schemas/Invoice"}}}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /invoices/{hash}/settle:
        parameters:
          - {$ref: "#/components/parameters/hash"}
        post:
          operationId: settleInvoice
          summary: Simulates the payment of an invoice of the embedded node.
          description: This path exists only if the embedded node is configured.
          responses:
            "200":
              description: The invoice is settled.
              content:
                application/json:
                  schema:
                    type: object
                    required: [settled]
                    additionalProperties: false
                    properties: {settled: {$ref: "#/components/schemas/Hash"}}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "409": {$ref: "#/components/responses/Conflict"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /offers:
        get:
          operationId: listOffers
          summary: All BOLT12 offers, or those of an account.
          parameters:
            - {$ref: "#/components/parameters/account"}
          responses:
            "200":
              description: The offers.
              content:
                application/json:
                  schema:
                    type: object
                    required: [offers]
                    additionalProperties: false
                    properties:
                      offers: {type: array, items: {$ref: "#/components/schemas/Offer"}}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "503": {$ref: "#/components/responses/Unavailable"}
        post:
          operationId: createOffer
          summary: Creates an offer of an account.
          requestBody:
            required: true
            content:
              application/json:
                schema: {$ref: "#/components/schemas/OfferParameters"}
                example: {account: alice, description: Tea, amount: 21000, expiresIn: 86400}
          responses:
            "200": {$ref: "#/components/responses/Offer"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "409": {$ref: "#/components/responses/Conflict"}
            "413": {$ref: "#/components/responses/TooLarge"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /offers/{id}:
        parameters:
          - {$ref: "#/components/parameters/offer"}
        get:
          operationId: showOffer
          summary: An offer, and how requests for it can reach the service now.
          responses:
            "200": {$ref: "#/components/responses/Offer"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /offers/{id}/disable:
        parameters:
          - {$ref: "#/components/parameters/offer"}
        post:
          operationId: disableOffer
          summary: Issues no more invoices for an offer. Those that were issued can still be paid.
          description: |
            An offer of the node itself is switched off there, too. When that fails it is off here only; 503 means that the
            same request may succeed later, 409 that it will not.
          responses:
            "200": {$ref: "#/components/responses/Offer"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "409": {$ref: "#/components/responses/Conflict"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /events:
        get:
          operationId: listEvents
          summary: A page of handled notifications.
          parameters:
            - {$ref: "#/components/parameters/account"}
            - {$ref: "#/components/parameters/limit"}
            - {$ref: "#/components/parameters/after"}
          responses:
            "200":
              description: The page.
              content:
                application/json:
                  schema:
                    type: object
                    required: [events, next]
                    additionalProperties: false
                    properties:
                      events: {type: array, items: {$ref: "#/components/schemas/Event"}}
                      next: {$ref: "#/components/schemas/Next"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /outbox:
        get:
          operationId: listOutbox
          summary: A page of accepted notifications and settlement webhooks that are not delivered yet.
          parameters:
            - {$ref: "#/components/parameters/account"}
            - {name: kind, in: query, schema: {$ref: "#/components/schemas/OutboxKind"}}
            - {name: state, in: query, schema: {enum: [pending, parked]}}
            - {$ref: "#/components/parameters/limit"}
            - {$ref: "#/components/parameters/after"}
          responses:
            "200":
              description: The page.
              content:
                application/json:
                  schema:
                    type: object
                    required: [outbox, next]
                    additionalProperties: false
                    properties:
                      outbox:
                        type: array
                        items: {$ref: "#/components/schemas/OutboxEntry", unevaluatedProperties: false}
                      next: {$ref: "#/components/schemas/Next"}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /outbox/{id}:
        parameters:
          - {$ref: "#/components/parameters/entry"}
        get:
          operationId: showOutboxEntry
          summary: An entry of the outbox with its payload.
          responses:
            "200":
              description: The entry.
              content:
                application/json:
                  schema:
                    $ref: "#/components/schemas/OutboxEntry"
                    required: [payload]
                    properties:
                      payload: {type: string, description: 'The payload, which depends on the kind; usually JSON.'}
                    unevaluatedProperties: false
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /outbox/{id}/retry:
        parameters:
          - {$ref: "#/components/parameters/entry"}
        post:
          operationId: retryOutboxEntry
          summary: Retries an entry now, parked or not, with the full number of attempts.
          responses:
            "200":
              description: The entry is due for a retry.
              content:
                application/json:
                  schema:
                    type: object
                    required: [retried]
                    additionalProperties: false
                    properties: {retried: {$ref: "#/components/schemas/OutboxID"}}
            "400": {$ref: "#/components/responses/BadRequest"}
            "401": {$ref: "#/components/responses/Unauthorized"}
            "404": {$ref: "#/components/responses/NotFound"}
            "503": {$ref: "#/components/responses/Unavailable"}
      /peers:
        get:
          operationId: listPeers
          summary: The connections of the service's own Lightning peer.
          responses:
            "200":
              description: The connections.
              content:
                application/json:
                  schema:
                    type: object
                    required: [configured, introductions, peers]
                    additionalProperties: false
                    properties:
                      configured: {type: boolean, description: Whether there is a Lightning peer.}
                      introductions:
                        description: The nodes through which requests for offers can arrive now.
                        type: array
                        items: {$ref: "#/components/schemas/NodeID"}
                      peers: {type: array, items: {$ref: "#/components/schemas/Peer"}}
            "401": {$ref: "#/components/responses/Unauthorized"}
      /health/live:
        get:
          operationId: isLive
          summary: Whether the process is running.
          security: []
          responses:
            "200":
              description: It is.
              content:
                application/json:
                  schema:
                    type: object
                    required: [status]
                    additionalProperties: false
                    properties: {status: {const: ok}}
      /health/ready:
        get:
          operationId: isReady
          summary: Whether the ledger takes writes, and each node answers and has its payments followed.
          security: []
          responses:
            "200":
              description: Everything works.
              content: {application/json: {schema: {$ref: "#/components/schemas/Readiness"}}}
            "503":
              description: Something does not work; `parts` says what.
              content: {application/json: {schema: {$ref: "#/components/schemas/Readiness"}}}
      /metrics:
        get:
          operationId: metrics
          summary: Figures as Prometheus text.
          security: []
          responses:
            "200":
              description: The figures, in the text format 0.0.4.
              content: {text/plain: {schema: {type: string}}}
      /openapi.yaml:
        get:
          operationId: openapi
          summary: This document.
          security: []
          responses:
            "200":
              description: This document.
              content: {application/yaml: {schema: {type: string}}}
    components:
      securitySchemes:
        token: {type: http, scheme: bearer, description: The text in `admin.token` of the data folder.}
      parameters:
        account: {name: account, in: query, description: The account., schema: {$ref: "#/components/schemas/Name"}}
        limit: {name: limit, in: query, description: The maximum number of elements., schema: {$ref: "#/components/schemas/Limit"}}
        after: {name: after, in: query, description: The `next` of the previous page., schema: {$ref: "#/components/schemas/Mark"}}
        hash: {name: hash, in: path, required: true, schema: {$ref: "#/components/schemas/Hash"}}
        offer: {name: id, in: path, required: true, schema: {$ref: "#/components/schemas/Hash"}}
        entry: {name: id, in: path, required: true, schema: {$ref: "#/components/schemas/OutboxID"}}
      responses:
        Account:
          description: The account.
          content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
        Offer:
          description: The offer.
          content: {application/json: {schema: {$ref: "#/components/schemas/Offer"}}}
        BadRequest:
          description: The path, the query or the body is malformed, breaks a rule, or names something that cannot be used.
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Error"}
              example: {error: limit must be between 1 and 1000}
        Unauthorized:
          description: The token is missing or wrong.
          headers:
            WWW-Authenticate: {required: true, schema: {const: Bearer}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Error"}
              example: {error: a bearer token is required}
        NotFound:
          description: Not found, or this path does not support this method.
          content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
        TooLarge:
          description: The body is too large.
          content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
        Conflict:
          description: The request conflicts with the current state.
          content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
        Unavailable:
          description: The ledger or a node is unavailable.
          content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
      schemas:
        Name: {type: string, pattern: "^[A-Za-z0-9._-]{1,64}$", description: The name of an account; lower case in answers.}
        Backend: {type: string, pattern: "^[a-z0-9_-]{1,64}$", description: The name of a node in the configuration.}
        Hash: {type: string, pattern: "^[0-9a-f]{64}$"}
        NodeID: {type: string, pattern: "^0[23][0-9a-f]{64}$"}
        Time: {type: string, pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$", examples: ["2026-11-22T07:00:00Z"]}
        OptionalTime: {oneOf: [{$ref: "#/components/schemas/Time"}, {type: "null"}]}
        Amount: {type: integer, minimum: 1, maximum: 2100000000000000000, description: In msat.}
        Count: {type: integer, minimum: 0}
        OptionalCount: {type: [integer, "null"], minimum: 0}
        OptionalText: {type: [string, "null"]}
        Limit: {type: integer, minimum: 1, maximum: 1000, default: 50}
        Mark: {type: string, pattern: "^\\d+$"}
        Next: {type: [string, "null"], pattern: "^\\d+$", description: The `after` of the next page; null on the last one.}
        Error:
          type: object
          required: [error]
          additionalProperties: false
          properties: {error: {type: string, description: A sentence for people.}}
        Readiness:
          type: object
          required: [status, parts]
          additionalProperties: false
          properties:
            status: {enum: [ok, degraded]}
            parts:
              description: '`ok` or what is wrong, for `ledger` and for each node as `backend NAME`.'
              type: object
              required: [ledger]
              additionalProperties: false
              properties: {ledger: {type: string}}
              patternProperties: {"^backend [a-z0-9_-]{1,64}$": {type: string}}
        AccountSettings:
          type: object
          properties:
            description: {type: string, description: 'The short text that every wallet shows (`text/plain`).'}
            longDescription: {type: string, description: A longer description (LUD-20).}
            image:
              type: object
              required: [format, base64]
              additionalProperties: false
              properties: {format: {enum: [png, jpeg]}, base64: {type: string, maxLength: 136536}}
            mailbox: {type: boolean, default: false, description: Whether the address also receives mail (LUD-16).}
            minSendable: {$ref: "#/components/schemas/Amount", description: "In msat; if omitted, the node's limit."}
            maxSendable: {$ref: "#/components/schemas/Amount", description: "In msat; if omitted, the node's limit."}
            commentAllowed: {type: integer, minimum: 0, maximum: 2000, default: 255, description: In characters (LUD-12).}
            payerData:
              description: The payer data that is requested (LUD-18).
              type: object
              propertyNames: {enum: [name, pubkey, identifier, email, auth]}
              additionalProperties: {enum: [optional, mandatory]}
            successAction:
              description: What a wallet does after the payment (LUD-09, LUD-10).
              type: object
              additionalProperties: false
              properties:
                message: {type: string, maxLength: 144}
                url: {type: string}
                secret: {type: string, description: At most 3071 bytes of UTF-8.}
                description: {type: string, maxLength: 144}
              oneOf: [{required: [message]}, {required: [url]}, {required: [secret]}]
            invoiceExpiry: {type: integer, minimum: 60, maximum: 604800, default: 600, description: In seconds.}
            backend: {$ref: "#/components/schemas/Backend"}
            settlementWebhook:
              description: The URL to which each payment is announced, instead of `settlement-webhook.url`.
              type: object
              required: [url, secretFile]
              additionalProperties: false
              properties:
                url: {type: string, pattern: "^https?://"}
                secretFile: {type: string, pattern: "^/", description: The path of a file on the service's machine.}
        Account:
          $ref: "#/components/schemas/AccountSettings"
          required: [name, address, lnurl, version, createdAt, description, commentAllowed, invoiceExpiry, backend, webhook]
          properties:
            name: {$ref: "#/components/schemas/Name"}
            address: {type: string, examples: [alice@example.com]}
            lnurl: {type: string, pattern: "^lnurl1[0-9a-z]+$"}
            version: {type: integer, minimum: 1, description: Incremented when what payers are shown changes.}
            createdAt: {$ref: "#/components/schemas/Time"}
            webhook: {type: string, description: The URL for notifications. Whoever knows it can request invoices.}
          unevaluatedProperties: false
        InvoiceState: {enum: [open, settled, expired]}
        Invoice:
          type: object
          required:
            [paymentHash, account, backend, state, amount, createdAt, expiresAt, settledAt, received, preimage, bolt11]
          properties:
            paymentHash: {$ref: "#/components/schemas/Hash"}
            account: {$ref: "#/components/schemas/Name"}
            backend: {$ref: "#/components/schemas/Backend"}
            state: {$ref: "#/components/schemas/InvoiceState"}
            amount: {$ref: "#/components/schemas/Amount"}
            createdAt: {$ref: "#/components/schemas/Time"}
            expiresAt: {$ref: "#/components/schemas/Time"}
            settledAt: {$ref: "#/components/schemas/OptionalTime"}
            received: {$ref: "#/components/schemas/OptionalCount", description: In msat.}
            preimage: {type: [string, "null"], pattern: "^[0-9a-f]{64}$", description: Null until the invoice is settled.}
            bolt11: {$ref: "#/components/schemas/OptionalText"}
          oneOf:
            - required: [origin, metadataVersion, tag, comment, payerData]
              properties:
                origin: {const: lnurl}
                metadataVersion: {type: integer, minimum: 1}
                tag: {$ref: "#/components/schemas/OptionalText"}
                comment: {$ref: "#/components/schemas/OptionalText"}
                payerData: {type: [string, "null"], description: JSON as the payer sent it (LUD-18).}
            - required: [origin, offerID, bolt12, quantity, payerNote, payeeName]
              properties:
                origin: {const: bolt12}
                offerID: {$ref: "#/components/schemas/Hash"}
                bolt12: {type: [string, "null"], pattern: "^lni1[0-9a-z]+$"}
                quantity: {$ref: "#/components/schemas/OptionalCount"}
                payerNote: {$ref: "#/components/schemas/OptionalText"}
                payeeName: {type: [string, "null"], description: The name through which the payer found the offer (BIP 353).}
          unevaluatedProperties: false
        OfferParameters:
          type: object
          required: [account]
          additionalProperties: false
          properties:
            account: {$ref: "#/components/schemas/Name"}
            amount: {$ref: "#/components/schemas/Amount", description: 'In msat; if omitted, the payer chooses.'}
            description: {type: string}
            issuer: {type: string}
            quantityMax: {type: integer, minimum: 0, description: The maximum number of items per invoice; 0 for unlimited.}
            expiresIn: {type: integer, minimum: 1, description: In seconds.}
            maximumPayments: {type: integer, minimum: 1}
            introduction:
              description: The introduction nodes of the paths to the service, best first.
              oneOf:
                - {$ref: "#/components/schemas/NodeID"}
                - {type: array, minItems: 1, maxItems: 8, items: {$ref: "#/components/schemas/NodeID"}}
            issuerID: {type: boolean, default: true, description: Whether the offer has an issuer id in addition to its paths.}
        Offer:
          type: object
          required:
            [id, offer, account, state, origin, madeBy, madeByNode, amount, currency, description, issuer, quantityMax,
             maximumPayments, issuerID, paths, createdAt, expiresAt, disabledAt, disabledAtNodeAt, reach]
          additionalProperties: false
          properties:
            id: {$ref: "#/components/schemas/Hash"}
            offer: {type: string, pattern: "^lno1[0-9a-z]+$"}
            account: {$ref: "#/components/schemas/Name"}
            state: {enum: [open, expired, disabled]}
            origin: {enum: [issued, imported, node], description: 'Created here, imported, or made by a node.'}
            madeBy: {type: [string, "null"], description: The name of the node that made it.}
            madeByNode: {type: [string, "null"], description: The id of that node.}
            amount: {$ref: "#/components/schemas/OptionalCount", description: 'In msat, or in units of `currency`.'}
            currency: {type: [string, "null"], description: ISO 4217.}
            description: {$ref: "#/components/schemas/OptionalText"}
            issuer: {$ref: "#/components/schemas/OptionalText"}
            quantityMax: {$ref: "#/components/schemas/OptionalCount"}
            maximumPayments: {$ref: "#/components/schemas/OptionalCount"}
            issuerID: {type: [string, "null"], description: The issuer id of the offer.}
            paths: {$ref: "#/components/schemas/Count"}
            createdAt: {$ref: "#/components/schemas/Time"}
            expiresAt: {$ref: "#/components/schemas/OptionalTime"}
            disabledAt: {$ref: "#/components/schemas/OptionalTime"}
            disabledAtNodeAt: {$ref: "#/components/schemas/OptionalTime"}
            reach: {$ref: "#/components/schemas/Reach"}
        Reach:
          description: How requests for the offer can reach the service; `now` says whether they can at the moment.
          type: object
          required: [forwarder, node, peer]
          additionalProperties: false
          properties:
            forwarder:
              type: object
              required: [now, webhook, overLightning]
              additionalProperties: false
              properties: {now: {type: boolean}, webhook: {type: string}, overLightning: {type: boolean}}
            node: {type: object, required: [now], additionalProperties: false, properties: {now: {type: boolean}}}
            peer:
              type: object
              required: [now, introductions]
              additionalProperties: false
              properties: {now: {type: boolean}, introductions: {type: array, items: {$ref: "#/components/schemas/NodeID"}}}
            nodeAnswers: {const: false, description: Present only if the node did not say how its offers are paid.}
        Event:
          type: object
          required: [receivedAt, account, type, envelope, outcome, delivery, paymentHash, payload, answer, steps]
          additionalProperties: false
          properties:
            receivedAt: {$ref: "#/components/schemas/Time"}
            account: {$ref: "#/components/schemas/Name"}
            type: {type: string, examples: [lnurlpay_invoice]}
            envelope: {type: string, examples: [template, event, push, encrypted]}
            outcome: {enum: [answered, refused, done, failed, out-of-time, ignored]}
            delivery: {enum: [taken, failed, uncertain, forbidden, in-response, null], description: Of the reply.}
            paymentHash: {type: [string, "null"], pattern: "^[0-9a-f]{64}$"}
            payload: {type: string, description: 'The JSON as received, truncated to 4096 bytes.'}
            answer: {type: [string, "null"], description: 'The JSON without preimages, truncated to 4096 bytes.'}
            steps:
              type: array
              items:
                type: object
                required: [name, milliseconds]
                additionalProperties: false
                properties: {name: {type: string}, milliseconds: {$ref: "#/components/schemas/Count"}}
        OutboxID: {type: string, pattern: "^[a-z0-9_-]{1,128}$"}
        OutboxKind: {type: string, examples: [notification, settlement-webhook, invoice-mismatch]}
        OutboxEntry:
          type: object
          required: [id, kind, account, state, createdAt, deadline, dueAt, parkedAt, attempts, failure]
          properties:
            id: {$ref: "#/components/schemas/OutboxID"}
            kind: {$ref: "#/components/schemas/OutboxKind"}
            account: {$ref: "#/components/schemas/Name"}
            state: {enum: [pending, parked]}
            createdAt: {$ref: "#/components/schemas/Time"}
            deadline: {$ref: "#/components/schemas/OptionalTime"}
            dueAt: {$ref: "#/components/schemas/OptionalTime"}
            parkedAt: {$ref: "#/components/schemas/OptionalTime"}
            attempts: {$ref: "#/components/schemas/Count"}
            failure: {type: [string, "null"], description: Why the last attempt failed.}
        Peer:
          description: One connection. Traffic is counted in bytes and onion messages; rates are of the last minute.
          type: object
          required:
            [nodeID, address, incoming, key, state, seconds, onionMessages, features, moreFeatures, bytesIn, bytesOut,
             messagesIn, messagesOut, perMinuteIn, perMinuteOut, waiting, dropped, warning, lastError]
          additionalProperties: false
          properties:
            nodeID: {$ref: "#/components/schemas/NodeID"}
            address: {type: string}
            incoming: {type: boolean}
            key: {$ref: "#/components/schemas/NodeID", description: Our own key on this connection.}
            state: {enum: [connecting, open, waiting]}
            seconds: {type: [integer, "null"], description: 'How long it has been open, or the time until the next attempt.'}
            onionMessages: {type: [boolean, "null"]}
            features: {type: [array, "null"], items: {type: integer}, description: The feature bits that are set.}
            moreFeatures: {type: [boolean, "null"], description: Whether more bits are set than listed.}
            bytesIn: {$ref: "#/components/schemas/Count"}
            bytesOut: {$ref: "#/components/schemas/Count"}
            messagesIn: {$ref: "#/components/schemas/Count"}
            messagesOut: {$ref: "#/components/schemas/Count"}
            perMinuteIn: {$ref: "#/components/schemas/Count"}
            perMinuteOut: {$ref: "#/components/schemas/Count"}
            waiting: {$ref: "#/components/schemas/Count", description: Messages waiting to be written.}
            dropped: {type: object, additionalProperties: {type: integer}, description: Dropped messages by reason.}
            warning: {$ref: "#/components/schemas/OptionalText"}
            lastError: {$ref: "#/components/schemas/OptionalText"}

    """#
}
