import Testing

@Suite("Rooms", .timeLimit(.minutes(4)))
struct RoomTests {
    @Test("Every folder in Sources is a room with a floor")
    func everyRoomHasAFloor() throws {
        for room in try Repository.rooms() {
            #expect(Floors.all.contains(room), "\(room) stands on no floor")
        }
    }

    @Test("A room imports only rooms on lower floors")
    func importsPointDownwards() throws {
        for room in try Repository.rooms() {
            let row = try #require(Floors.row(of: room))
            for module in try Repository.imports(of: room) {
                guard let other = Floors.row(of: module) else { continue }
                #expect(other < row, "\(room) imports \(module)")
            }
        }
    }

    @Test("A room depends only on rooms on lower floors")
    func dependenciesPointDownwards() throws {
        let manifest = Manifest(try Repository.manifest())
        #expect(Set(manifest.dependencies.keys) == Set(try Repository.rooms()).subtracting(Floors.rows[0]))
        for (room, dependencies) in manifest.dependencies {
            let row = try #require(Floors.row(of: room))
            for dependency in dependencies {
                guard let other = Floors.row(of: dependency) else { continue }
                #expect(other < row, "\(room) depends on \(dependency)")
            }
        }
    }

    @Test("What fits into a notification extension imports nothing but rooms and the C library")
    func smallRoomsStaySmall() throws {
        let allowed = Floors.small.union(Floors.platformModules)
        for room in try Repository.rooms() where Floors.small.contains(room) {
            let surplus = try Repository.imports(of: room).subtracting(allowed)
            #expect(surplus.isEmpty, "\(room) imports \(surplus.sorted())")
        }
    }

    @Test("What fits into a notification extension depends on no other package")
    func smallRoomsNeedNoPackage() throws {
        let manifest = Manifest(try Repository.manifest())
        for (room, dependencies) in manifest.dependencies where Floors.small.contains(room) {
            #expect(dependencies.isSubset(of: Floors.small), "\(room) depends on \(dependencies.sorted())")
        }
    }

    @Test("The example of a notification extension needs nothing but what fits into one")
    func extensionStaysSmall() throws {
        let manifest = Manifest(try Repository.manifest())
        let needed = try #require(manifest.dependencies["NotificationExtensionExample"])
        #expect(needed.contains("Responding"))
        #expect(needed.isSubset(of: Floors.small), "\(needed.subtracting(Floors.small).sorted())")
    }

    @Test("Every library is a product")
    func librariesAreProducts() throws {
        let rooms = Set(try Repository.rooms()).intersection(Floors.libraries)
        #expect(Manifest(try Repository.manifest()).libraries == rooms)
    }
}
