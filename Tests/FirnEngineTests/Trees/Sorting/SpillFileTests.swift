import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Temporary files of statements")
struct SpillFileTests {
    @Test("Blocks are read as they were written, and the file has no name")
    func roundTrip() throws {
        let disk = SimulatedFileSystem()
        let file = try SpillFile(of: "/people.firn", services: disk.services())
        var random = SplitMix64(seed: 3)
        let contents = (0..<20).map { random.bytes($0 * 37) }
        let blocks = try contents.map { try file.append($0) }
        #expect(try blocks.reversed().map { try file.read($0) } == contents.reversed())
        #expect(disk.fileNames.isEmpty)
    }

    @Test("A block that changed on disk, or was cut off, is an error")
    func damage() throws {
        let disk = SimulatedFileSystem()
        let file = try SpillFile(of: "/people.firn", services: disk.services())
        let block = try file.append([1, 2, 3])
        let others = [
            SpillFile.Block(range: block.range, checksum: block.checksum ^ 1),
            SpillFile.Block(range: 0..<4, checksum: block.checksum),
            SpillFile.Block(range: 1..<3, checksum: block.checksum),
        ]
        for other in others {
            #expect { _ = try file.read(other) } throws: { error in
                (error as? StoreError)?.code == .corrupt
            }
        }
    }
}
