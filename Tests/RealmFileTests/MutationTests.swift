import FirnTesting
import RealmFile
import Testing

/// Damaged files: the reader answers or throws, in a bounded time and memory.
@Suite("Damaged Realm files")
struct MutationTests {
    /// The samples, and the share of the mutations that each one gets.
    private static let samples = [
        ("groupwrite", 4), ("format22", 8), ("streaming", 6), ("compacted", 6), ("unclean2", 6),
        ("types", 1),
    ]

    private static let memoryByteCountMax = 256 << 20

    @Test(
        "A damaged file is read or refused, without a trap, a hang or much memory",
        arguments: TestScale.seeds(4))
    func damage(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            try MutationTests.readPlain(seed: seed)
            try MutationTests.readEncrypted(seed: seed)
            if let memory = ProcessMemory.highest {
                #expect(memory < MutationTests.memoryByteCountMax, "seed \(seed)")
            }
        }
    }

    private static func readPlain(seed: UInt64) throws {
        for (name, share) in samples {
            let file = ChangingBytes(try RealmSample.bytes(name))
            var mutation = RealmMutation(file)
            var generator = SplitMix64(seed: seed &* 31 &+ UInt64(share))
            for _ in 0..<share * 8 {
                mutation.apply(&generator)
                try read(file, key: nil, seed: seed)
                mutation.undo()
            }
            RunCounters.damagedFiles.add(share * 8)
        }
    }

    /// Damages encrypted files, their tables and their keys.
    private static func readEncrypted(seed: UInt64) throws {
        for name in ["encrypted-streaming", "encrypted-interrupted"] {
            let file = ChangingBytes(try RealmSample.bytes(name))
            let original = file.bytes
            var generator = SplitMix64(seed: seed &+ 1000)
            for _ in 0..<25 {
                var key = RealmSample.key
                damage(file, &key, &generator)
                try read(file, key: key, seed: seed)
                file.bytes = original
                file.length = original.count
            }
        }
        RunCounters.damagedFiles.add(50)
    }

    /// Damages a page, its metadata, the length or the key.
    private static func damage(
        _ file: ChangingBytes, _ key: inout [UInt8], _ generator: inout SplitMix64
    ) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let entry = Int.random(in: 0..<8, using: &generator) * 64
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: file.bytes[entry] = UInt8(truncatingIfNeeded: generator.next())
            case 1: for index in entry..<entry + 4 { file.bytes[index] = 0 }
            case 2:
                let other = Int.random(in: 0..<8, using: &generator) * 64
                for index in 0..<64 { file.bytes.swapAt(entry + index, other + index) }
            case 3: key[Int(generator.next() % 64)] ^= 1 << UInt8(generator.next() % 8)
            case 4:
                file.length = Int.random(in: 0...file.bytes.count / 4096, using: &generator) * 4096
            default:
                let index = Int.random(in: 0..<file.bytes.count, using: &generator)
                file.bytes[index] ^= 1 << UInt8(generator.next() % 8)
            }
        }
    }

    /// Reads all of a file; any error must be one of the reader.
    private static func read(_ file: ChangingBytes, key: [UInt8]?, seed: UInt64) throws {
        do throws(RealmFileError) {
            _ = try CompleteReading.count(try RealmReader(file, key: key))
        } catch {
            #expect(error.code != .inUse && error.code != .unreadable, "seed \(seed): \(error)")
            #expect(!error.detail.isEmpty)
        }
    }
}
