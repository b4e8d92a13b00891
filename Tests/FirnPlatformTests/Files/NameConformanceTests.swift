import FirnPlatform
import FirnTesting
import Testing

@Suite("Names of files, real, simulated and in memory")
struct NameConformanceTests {
    @Test("A removed file remains usable through its handles", arguments: TestedFileSystem.allCases)
    func removal(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let file = try fixture.create("x", [1, 2])
        try fixture.files.remove(fixture.path("x"))
        #expect(try fixture.files.status(of: fixture.path("x")) == nil)
        #expect(try file.status().linkCount == 0)
        try file.put([3], at: 2)
        #expect(try file.get(9) == [1, 2, 3])
        let other = try fixture.create("x", [9])
        #expect(try other.status().identity != file.status().identity)
        #expect(try file.get(9) == [1, 2, 3])
    }

    @Test("A rename keeps the file and its handles", arguments: TestedFileSystem.allCases)
    func rename(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let file = try fixture.create("x", [1])
        try fixture.files.rename(fixture.path("x"), to: fixture.path("y"), replacing: false)
        #expect(try fixture.files.status(of: fixture.path("x")) == nil)
        #expect(try fixture.files.status(of: fixture.path("y")) == file.status())
        try file.put([2], at: 0)
        #expect(try fixture.open("y").get(9) == [2])
    }

    @Test(
        "A rename replaces a file only where that is allowed", arguments: TestedFileSystem.allCases)
    func replacement(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let new = try fixture.create("new", [1])
        let old = try fixture.create("old", [2])
        #expect(
            code {
                try fixture.files.rename(
                    fixture.path("new"), to: fixture.path("old"), replacing: false)
            } == .alreadyExists)
        #expect(try old.status().linkCount == 1)
        try fixture.files.rename(fixture.path("new"), to: fixture.path("old"), replacing: true)
        #expect(try old.status().linkCount == 0)
        #expect(try old.get(9) == [2])
        #expect(try fixture.open("old").status().identity == new.status().identity)
        #expect(try fixture.files.status(of: fixture.path("new")) == nil)
    }

    @Test("Renames refuse folders and missing files", arguments: TestedFileSystem.allCases)
    func renameErrors(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        _ = try fixture.create("x")
        func rename(_ from: String, _ to: String, _ replacing: Bool) -> PlatformError.Code? {
            code {
                try fixture.files.rename(
                    fixture.path(from), to: fixture.path(to), replacing: replacing)
            }
        }
        #expect(rename("no", "y", true) == .notFound)
        #expect(rename("no", "y", false) == .notFound)
        #expect(rename("x", "no/y", true) == .notFound)
        #expect(rename("x", "folder", true) == .notARegularFile)
        #expect(rename("x", "folder", false) == .alreadyExists)
        #expect(rename("x", "x", true) == nil)
        #expect(rename("x", "x", false) == .alreadyExists)
        #expect(rename("x", "folder/x", false) == nil)
        #expect(code { try fixture.files.remove(fixture.path("folder")) } == .notARegularFile)
    }

    @Test("A folder is synced through any name in it", arguments: TestedFileSystem.allCases)
    func syncDirectory(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        try fixture.files.syncDirectory(holding: fixture.path("not there yet"))
        try fixture.files.syncDirectory(holding: fixture.path("folder"))
        try fixture.files.syncDirectory(holding: "bare name")
        try fixture.files.syncDirectory(holding: "/name in the root")
    }

    @Test(
        "The folder of a path is found",
        arguments: [
            ("x", "."), ("./x", "."), ("a/x", "a"), ("a//x", "a"), ("/x", "/"), ("//x", "/"),
            ("/a/x/", "/a"), ("/", "/"), ("", "."), ("..", "."),
        ])
    func folderOfPath(_ path: String, _ folder: String) {
        #expect(PathName.folder(of: path) == folder)
    }

    @Test(
        "The last component of a path is found",
        arguments: [("x", "x"), ("a/x", "x"), ("/x", "x"), ("a/x/", "x"), ("/", ""), ("", "")])
    func lastComponent(_ path: String, _ name: String) {
        #expect(PathName.lastComponent(of: path) == name)
    }
}
