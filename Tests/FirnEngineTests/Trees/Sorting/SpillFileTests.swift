import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Temporary files of statements")
struct SpillFileTests {
    @Test("Blocks are read back as they were written, and the file has no name")
    func roundTrip() throws {
        let disk = SimulatedFileSystem()
        let file = SpillFile(of: "/people.firn", services: disk.services())
        var random = SplitMix64(seed: 3)
        let contents = (0..<20).map { random.bytes($0 * 37) }
        let blocks = try contents.map { try file.append($0) }
        #expect(try blocks.reversed().map { try file.read($0) } == contents.reversed())
        #expect(disk.fileNames.isEmpty)
    }

    @Test("A block that changed on disk, or was cut off, is an error")
    func damage() throws {
        let disk = SimulatedFileSystem()
        let file = SpillFile(of: "/people.firn", services: disk.services())
        let block = try file.append([1, 2, 3])
        guard case .disk(let range, let checksum) = block else {
            Issue.record("not on disk")
            return
        }
        let others = [
            SpillFile.Block.disk(range, checksum: checksum ^ 1),
            SpillFile.Block.disk(0..<4, checksum: checksum),
            SpillFile.Block.disk(1..<3, checksum: checksum),
        ]
        for other in others {
            #expect { _ = try file.read(other) } throws: { error in
                (error as? StoreError)?.code == .corrupt
            }
        }
    }

    @Test("Vectors stay in memory within their share, and releasing vectors makes room for others")
    func memory() throws {
        let disk = SimulatedFileSystem()
        func vector(_ number: Int64) -> ColumnVector {
            var vector = ColumnVector(kind: .int)
            vector.ints = [Int64](repeating: number, count: 16)
            vector.count = 16
            return vector
        }
        // Two of them fit.
        let file = SpillFile(
            of: "/people.firn", services: disk.services(),
            memoryByteCount: vector(0).allocatedByteCount * 5 / 2)
        let blocks = try (0..<4).map { try file.append([vector($0)]) }
        #expect(blocks.map(\.isInMemory) == [true, true, false, false])
        file.release(blocks[0])
        let later = try file.append([vector(4)])
        #expect(later.isInMemory)
        for (number, block) in zip(Int64(1)..., blocks[1...] + [later]) {
            #expect(try file.vectors(of: block, [.int])[0].ints == vector(number).ints)
        }
    }

    @Test("There is no file until a block is written to disk")
    func noFile() throws {
        let disk = SimulatedFileSystem()
        disk.fill(leaving: 0)
        let file = SpillFile(of: "/people.firn", services: disk.services(), memoryByteCount: 1_000)
        var vector = ColumnVector(kind: .string)
        vector.append(.string(String(repeating: "long ", count: 100)))
        let block = try file.append([vector])
        #expect(try file.vectors(of: block, [.string])[0].bytes == vector.bytes)
        #expect {
            _ = try file.append([vector, vector])
        } throws: { error in
            (error as? StoreError)?.code == .diskFull
        }
    }
}

extension SpillFile.Block {
    fileprivate var isInMemory: Bool {
        if case .memory = self { true } else { false }
    }
}
