import FirnPlatform
import FirnTesting
import Testing

@Suite("Names after a power loss")
struct NameLossTests {
    private let losses = (0..<UInt64(100)).map { PowerLoss.random(seed: $0) }

    private func put(_ disk: SimulatedFileSystem, _ path: String, _ bytes: [UInt8]) throws {
        let file = try disk.open(path, .createNew)
        try file.put(bytes, at: 0)
        try file.sync(.full)
    }

    @Test("Without a sync of its folder, a name is lost even if the file was synced")
    func creation() throws {
        let disk = SimulatedFileSystem()
        try put(disk, "/x", [1])
        let images = losses.map { disk.powerLossImage($0).contents(of: "/x") }
        #expect(images.contains(nil) && images.contains([1]))
        #expect(images.allSatisfy { $0 == nil || $0 == [1] })
        try disk.syncDirectory(holding: "/another name in the same folder")
        #expect(losses.allSatisfy { disk.powerLossImage($0).contents(of: "/x") == [1] })
    }

    @Test("A sync of another folder does not keep a name")
    func otherFolder() throws {
        let disk = SimulatedFileSystem()
        disk.makeFolder("/a/b")
        try put(disk, "/a/b/x", [1])
        try disk.syncDirectory(holding: "/a/b")
        #expect(disk.powerLossImage(.nothingSurvives).fileNames == [])
        try disk.syncDirectory(holding: "/a/b/x")
        #expect(disk.powerLossImage(.nothingSurvives).fileNames == ["/a/b/x"])
    }

    @Test("After a rename, there is either the old or the new file, never neither and never a mix")
    func rename() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [1, 1])
        try put(disk, "/new", [2, 2])
        try disk.rename("/new", to: "/x", replacing: true)
        let images = losses.map { disk.powerLossImage($0) }
        #expect(Set(images.map { $0.contents(of: "/x") }) == [[1, 1], [2, 2]])
        for image in images where image.contents(of: "/x") == [2, 2] {
            #expect(image.fileNames == ["/x"], "the old name is gone with the rename")
        }
        try disk.syncDirectory(holding: "/x")
        #expect(losses.allSatisfy { disk.powerLossImage($0).contents(of: "/x") == [2, 2] })
    }

    @Test("Renaming a file that was not synced may keep the name and lose the data")
    func renameWithoutSync() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [1, 1])
        do {
            let file = try disk.open("/new", .createNew)
            try file.put([2, 2], at: 0)
        }
        try disk.rename("/new", to: "/x", replacing: true)
        try disk.syncDirectory(holding: "/x")
        #expect(disk.powerLossImage(.nothingSurvives).contents(of: "/x") == [])
        #expect(losses.contains { disk.powerLossImage($0).contents(of: "/x") == [2, 2] })
    }

    @Test("A removal may be undone until its folder is synced")
    func removal() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [1])
        try disk.remove("/x")
        let images = losses.map { disk.powerLossImage($0).contents(of: "/x") }
        #expect(images.contains(nil) && images.contains([1]))
        try disk.syncDirectory(holding: "/x")
        #expect(losses.allSatisfy { disk.powerLossImage($0).contents(of: "/x") == nil })
    }

    @Test("After a power loss, a reused name refers to one of its files or none")
    func reuse() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [1])
        try disk.remove("/x")
        try put(disk, "/x", [2])
        #expect(
            Set(losses.map { disk.powerLossImage($0).contents(of: "/x") }) == [nil, [1], [2]])
    }

    @Test("A failed sync of a folder is not repaired by the next one")
    func failedSync() throws {
        let disk = SimulatedFileSystem()
        try put(disk, "/x", [1])
        disk.plan(Fault(.fails(errno: 5), at: 0, of: [.syncDirectory]))
        #expect(code { try disk.syncDirectory(holding: "/x") } == .inputOutput)
        try disk.syncDirectory(holding: "/x")
        #expect(disk.powerLossImage(.nothingSurvives).contents(of: "/x") == nil)
        try put(disk, "/y", [2])
        try disk.syncDirectory(holding: "/y")
        #expect(disk.powerLossImage(.nothingSurvives).fileNames == ["/y"])
    }

    @Test("Different spellings of a path lead to the same file")
    func spelling() throws {
        let disk = SimulatedFileSystem()
        disk.makeFolder("/a/b")
        try put(disk, "/a//b/../b/./x", [1])
        #expect(disk.contents(of: "/a/b/x") == [1])
        try put(disk, "x", [2])
        #expect(disk.contents(of: "./x") == [2] && disk.contents(of: "/x") == nil)
        #expect(code { _ = try disk.open("/c/x", .createNew) } == .notFound)
    }
}
