import FirnPlatform
import FirnTesting
import Testing

@Suite("Files, real, simulated and in memory")
struct FileConformanceTests {
    @Test("A new file is empty and can be opened again", arguments: TestedFileSystem.allCases)
    func creation(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let created = try fixture.create("x")
        #expect(created.path == fixture.path("x"))
        #expect(try created.status().size == 0)
        let opened = try fixture.open("x", .readOnly)
        #expect(try opened.status() == created.status())
        #expect(try fixture.files.status(of: fixture.path("x")) == created.status())
        #expect(try created.status().kind == .regular)
        #expect(try created.status().linkCount == 1)
    }

    @Test(
        "createNew refuses every name that is taken", .tags(.security),
        arguments: TestedFileSystem.allCases, ["x", "folder", "fifo"])
    func creationOfTaken(_ system: TestedFileSystem, _ name: String) throws {
        let fixture = system.make()
        let kept = try fixture.create("x", [1, 2, 3])
        #expect(code { _ = try fixture.open(name, .createNew) } == .alreadyExists)
        #expect(try kept.get(9) == [1, 2, 3])
    }

    @Test(
        "Only regular files are opened, and opening never blocks", .tags(.security),
        arguments: TestedFileSystem.allCases,
        [OpenMode.readOnly, .readWrite])
    func openingOthers(_ system: TestedFileSystem, _ mode: OpenMode) throws {
        let fixture = system.make()
        #expect(code { _ = try fixture.open("folder", mode) } == .notARegularFile)
        #expect(code { _ = try fixture.open("fifo", mode) } == .notARegularFile)
        #expect(code { _ = try fixture.open("nothing", mode) } == .notFound)
        #expect(code { _ = try fixture.open("nothing/x", mode) } == .notFound)
    }

    @Test(
        "Opening a file in a missing folder throws notFound", arguments: TestedFileSystem.allCases
    )
    func missingFolder(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        #expect(code { _ = try fixture.open("nothing/x", .createNew) } == .notFound)
        #expect(
            code { try fixture.files.syncDirectory(holding: fixture.path("no/x")) } == .notFound)
        #expect(code { try fixture.files.remove(fixture.path("nothing")) } == .notFound)
        #expect(code { _ = try fixture.files.open("", .readOnly) } == .notFound)
    }

    @Test(
        "A path with a NUL never reaches another file", .tags(.security),
        arguments: TestedFileSystem.allCases)
    func nulInPath(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let kept = try fixture.create("x", [7])
        let path = fixture.path("x\0y")
        for mode in [OpenMode.readOnly, .readWrite, .createNew] {
            #expect(code { _ = try fixture.files.open(path, mode) } == .invalidPath)
        }
        #expect(code { _ = try fixture.files.status(of: path) } == .invalidPath)
        #expect(code { try fixture.files.remove(path) } == .invalidPath)
        #expect(code { try fixture.files.syncDirectory(holding: path) } == .invalidPath)
        #expect(
            code { try fixture.files.rename(path, to: fixture.path("z"), replacing: true) }
                == .invalidPath)
        #expect(
            code { try fixture.files.rename(fixture.path("x"), to: path, replacing: true) }
                == .invalidPath)
        #expect(try kept.status().linkCount == 1)
    }

    @Test("status distinguishes folders from other kinds", arguments: TestedFileSystem.allCases)
    func kinds(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        #expect(try fixture.files.status(of: fixture.path("folder"))?.kind == .directory)
        #expect(
            try fixture.files.status(of: fixture.path("fifo"))?.kind
                == (system.hasSpecialFiles ? .other : .directory))
        #expect(try fixture.files.status(of: fixture.path("nothing")) == nil)
        _ = try fixture.create("x")
        #expect(try fixture.files.status(of: fixture.path("x/y")) == nil)
    }

    @Test("Reads end at the end of the file", arguments: TestedFileSystem.allCases)
    func shortReads(_ system: TestedFileSystem) throws {
        let file = try system.make().create("x", [1, 2, 3, 4, 5])
        #expect(try file.get(5) == [1, 2, 3, 4, 5])
        #expect(try file.get(3, at: 1) == [2, 3, 4])
        #expect(try file.get(9, at: 3) == [4, 5])
        #expect(try file.get(9, at: 5) == [])
        #expect(try file.get(9, at: 1 << 40) == [])
        #expect(try file.get(0) == [])
    }

    @Test("A gap reads as zeros", arguments: TestedFileSystem.allCases)
    func gaps(_ system: TestedFileSystem) throws {
        let file = try system.make().create("x", [1])
        try file.put([2], at: 4)
        try file.put([], at: 100)
        #expect(try file.get(9) == [1, 0, 0, 0, 2])
        try file.put([9, 9], at: 1)
        #expect(try file.get(9) == [1, 9, 9, 0, 2])
    }

    @Test(
        "Truncation shortens a file, and extends it with zeros",
        arguments: TestedFileSystem.allCases
    )
    func truncation(_ system: TestedFileSystem) throws {
        let file = try system.make().create("x", [1, 2, 3, 4, 5])
        try file.truncate(to: 2)
        try file.truncate(to: 4)
        #expect(try file.get(9) == [1, 2, 0, 0])
        #expect(try file.status().size == 4)
        try file.sync(.data)
        try file.sync(.full)
    }

    @Test("A handle opened for reading refuses changes", arguments: TestedFileSystem.allCases)
    func readOnlyHandle(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        _ = try fixture.create("x", [1])
        let file = try fixture.open("x", .readOnly)
        #expect(code { try file.put([2], at: 0) } == .notOpen)
        #expect(code { try file.truncate(to: 0) } == .other)
        #expect(try file.get(9) == [1])
        try file.sync(.data)
    }

    @Test("Offsets beyond 2^63 throw errors and do not trap", arguments: TestedFileSystem.allCases)
    func hugeOffsets(_ system: TestedFileSystem) throws {
        let file = try system.make().create("x", [1])
        for offset in [UInt64.max, 1 << 63, UInt64(Int64.max)] {
            #expect(code { try file.put([2], at: offset) } == .fileTooLarge)
            #expect(code { _ = try file.get(1, at: offset) } == .fileTooLarge)
        }
        #expect(code { try file.truncate(to: .max) } == .fileTooLarge)
        #expect(try file.get(9) == [1])
    }
}
