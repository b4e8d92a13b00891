import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A forged file has right checksums, too: whatever its history says, the result is a typed error
/// or an answer, and never a trap.
@Suite("Forged histories")
struct HostileHistoryTests {
    /// A file with a freeze, commits and kept roots.
    private struct Sample {
        let bytes: [UInt8]
        let superblock: Superblock
        let history: History
        let raw: [UInt8]

        init() throws {
            let fixture = try VersionFixture(rowCount: 10) { $0.history.commitCount = 6 }
            for _ in 0..<5 { try fixture.commit() }
            try fixture.commit { try $0.freeze(name: "f") }
            for _ in 0..<9 { try fixture.commit() }
            bytes = try #require(fixture.disk.contents(of: VersionFixture.path))
            superblock = try fixture.store.snapshot().root.superblock
            history = try fixture.store.history(of: superblock)
            raw = history.encoded()
        }

        /// The same file with another history appended.
        func file(with raw: [UInt8]) -> [UInt8] {
            let stored = Blob.encode(raw, level: .fast)
            let start = superblock.endUnit
            let seed = PageReference.seed(fileID: superblock.fileID, start: start)
            let reference = PageReference(
                start: start, byteCount: UInt32(stored.count), headByteCount: UInt32(stored.count),
                checksum: stored.withUnsafeBytes { Checksum.xxh64($0, seed: seed) })
            var file = bytes
            file.removeSubrange(Int(superblock.fileByteCount)...)
            file += stored
            file += Array(repeating: 0, count: 511 - (stored.count + 511) % 512)
            var changed = superblock
            changed.history = reference
            changed.fileByteCount = UInt64(file.count)
            for copy in changed.copies {
                let place = copy * Superblock.pageByteCount
                file.replaceSubrange(
                    place..<(place + Superblock.recordByteCount), with: changed.record(copy: copy))
            }
            return file
        }
    }

    /// Runs everything that reads the history.
    ///
    /// - Returns: whether anything was refused or found.
    private static func use(_ file: [UInt8], _ context: Comment) throws -> Bool {
        let disk = SimulatedFileSystem()
        disk.setContents(of: VersionFixture.path, to: file)
        var options = StoreOptions()
        options.logging = .never
        let store = try Store.open(
            VersionFixture.path, readOnly: false, services: disk.services(entropySeed: 3),
            options: options)
        var wasRefused = false
        func attempt(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                wasRefused = true
                #expect(error is StoreError, context)
            }
        }
        attempt { _ = try store.versions() }
        attempt { _ = try store.spaceReport() }
        attempt {
            var verifier = Verifier(store, isDeep: true)
            if try verifier.run().findings.contains(where: { $0.kind == .history }) {
                wasRefused = true
            }
        }
        for version in 0..<18 {
            attempt {
                let snapshot = try store.snapshot(at: .number(LSN(UInt64(version))))
                _ = try contents(of: snapshot)
            }
        }
        attempt {
            let item = try store.itemClass()
            let transaction = try store.beginWrite()
            try transaction.delete(RowID(1), in: item.id)
            _ = try transaction.commit()
        }
        return wasRefused
    }

    @Test(
        "A history with some changed bytes gives an error or some version, never a trap",
        .tags(.security), arguments: TestScale.seeds(150)
    )
    func flippedBytes(seed: UInt64) throws {
        let sample = try Sample()
        var generator = SplitMix64(seed: seed)
        var raw = sample.raw
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: raw.indices, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: raw[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: raw[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: raw.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], at: index)
            default: raw.removeSubrange(index..<min(raw.count, index + 2))
            }
        }
        _ = try Self.use(sample.file(with: raw), "seed \(seed)")
    }

    @Test(
        "References to wrong or duplicate targets give an error or some version, never a trap",
        .tags(.security)
    )
    func wrongReferences() throws {
        let sample = try Sample()
        #expect(sample.history.roots.count >= 2 && !sample.history.chunks.isEmpty)
        #expect(try History(decoding: sample.raw, for: sample.superblock) == sample.history)
        let places = [
            sample.superblock.catalog, sample.superblock.history, sample.superblock.freeSpace,
            sample.history.chunks[0].reference, sample.history.roots[0].catalog,
        ].compactMap { $0 }
        for (index, place) in places.enumerated() {
            var history = sample.history
            let old = history.roots[1]
            history.roots[1] = History.KeptRoot(
                version: old.version, lsn: old.lsn, chain: old.chain, catalog: place,
                fileByteCount: old.fileByteCount)
            #expect(
                try Self.use(sample.file(with: history.encoded()), "root leads to \(index)"))
            history = sample.history
            let chunk = history.chunks[0]
            history.chunks[0] = History.Chunk(
                first: chunk.first, last: chunk.last, byteCount: chunk.byteCount,
                barriers: chunk.barriers, reference: place)
            let isSame = place == chunk.reference
            #expect(
                try Self.use(sample.file(with: history.encoded()), "chunk \(index)") || isSame)
        }
    }

    @Test("Roots or commits that are out of order or in the future are refused", .tags(.security))
    func wrongOrder() throws {
        let sample = try Sample()
        func decoding(_ change: (inout History) -> Void) -> Bool {
            var history = sample.history
            change(&history)
            return (try? History(decoding: history.encoded(), for: sample.superblock)) != nil
        }
        #expect(decoding { _ in })
        #expect(!decoding { $0.roots.reverse() })
        #expect(!decoding { $0.roots.append($0.roots[0]) })
        #expect(!decoding { $0.chunks.append($0.chunks[0]) })
        #expect(!decoding { $0.dropped = [sample.superblock.rootVersion] })
        #expect(
            !decoding { $0.roots.append(History.KeptRoot(sample.superblock)) }, "itself")
    }
}
