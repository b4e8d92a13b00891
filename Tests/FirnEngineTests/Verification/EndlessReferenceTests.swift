import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A checksum stored in the bytes that it covers seems impossible, but XXH64 is not cryptographic:
/// eight free bytes at the end make any checksum right.
@Suite("Pages that lead to themselves")
struct EndlessReferenceTests {
    private static let path = VersionFixture.path

    /// The position of the reference to its own page, or to a page that leads back.
    private enum Place: CaseIterable {
        case catalog, directory, directoryOfTwo, keyIndex, keyIndexOfTwo
        case historyChunk, keptRoot, historyAndCatalog
    }

    @Test(
        "Circular references are an error or a finding, and never loop forever", .tags(.security),
        arguments: Place.allCases)
    private func endless(place: Place) throws {
        let disk = SimulatedFileSystem()
        let bytes = try EndlessReferenceTests.file(place)
        disk.setContents(of: Self.path, to: bytes)
        RunCounters.forgedFiles.add(1)
        let services = disk.services(entropySeed: 3)
        var findings = 0
        var failures: [StoreError] = []
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch let error as StoreError { failures.append(error) }
        }
        try attempt {
            let reader = try Store.open(Self.path, readOnly: true, services: services)
            try attempt { try EndlessReferenceTests.read(reader) }
            var verifier = Verifier(reader, isDeep: true)
            findings = try verifier.run().findings.count
        }
        #expect(findings + failures.count > 0)
        #expect(disk.contents(of: Self.path) == bytes)
        try attempt {
            let writer = try Store.open(Self.path, readOnly: false, services: services)
            let transaction = try writer.beginWrite()
            for schema in transaction.schema.classes {
                try transaction.delete(RowID(1), in: schema.id)
            }
            _ = try transaction.commit()
            try writer.compactFile(CompactionFixture.options())
        }
        #expect(failures.allSatisfy { $0.code == .corrupt }, "\(failures)")
    }

    @Test("Pages forged to lead to themselves have the checksum that they name")
    func endings() {
        var generator = SplitMix64(seed: 1 + TestScale.firstSeed)
        for count in [40, 48, 56, 72, 1000 / 32 * 32 + 24] {
            let bytes = generator.bytes(count - 8)
            let (seed, wanted) = (generator.next(), generator.next())
            let whole = ChecksumEnding.complete(bytes, seed: seed, checksum: wanted)
            #expect(whole.count == count)
            #expect(whole.withUnsafeBytes { Checksum.xxh64($0, seed: seed) } == wanted)
        }
    }

    private static func read(_ store: Store) throws {
        let newest = try store.snapshot()
        let frozen = try newest.freezes().map { try store.snapshot(at: .freeze($0.name)) }
        for snapshot in [newest] + frozen {
            _ = try contents(of: snapshot)
            for schema in snapshot.schema.classes {
                _ = try snapshot.table(schema.id)?.row(forKey: .int(7))
            }
        }
    }

    // MARK: Making them

    private static func file(_ place: Place) throws -> [UInt8] {
        let fixture = try VersionFixture(rowCount: 10) { $0.history.commitCount = 6 }
        for _ in 0..<5 { try fixture.commit() }
        try fixture.commit { try $0.freeze(name: "f") }
        for _ in 0..<9 { try fixture.commit() }
        let root = try fixture.store.snapshot().root
        var file = AppendedPages(
            try #require(fixture.disk.contents(of: path)), root.superblock)
        let history = try fixture.store.history(of: root.superblock)
        switch place {
        case .historyChunk, .keptRoot, .historyAndCatalog:
            file.superblock.history = file.append { reference in
                lead(history, place, to: reference).encoded()
            }
            if place == .historyAndCatalog { file.superblock.catalog = file.superblock.history }
        case .catalog:
            file.superblock.catalog = try file.append { reference in
                var catalog = root.catalog
                catalog.classes[0].directory = DirectoryRoot(reference: reference, level: 1)
                return try catalog.encoded()
            }
        default:
            var catalog = root.catalog
            change(&catalog.classes[0], place, &file)
            let encoded = try catalog.encoded()
            file.superblock.catalog = file.append { _ in encoded }
        }
        return file.whole
    }

    private static func lead(
        _ history: History, _ place: Place, to reference: PageReference
    ) -> History {
        var history = history
        if place == .historyChunk {
            let old = history.chunks[0]
            history.chunks[0] = History.Chunk(
                first: old.first, last: old.last, byteCount: old.byteCount, barriers: [],
                reference: reference)
            return history
        }
        for (index, old) in history.roots.enumerated() {
            history.roots[index] = History.KeptRoot(
                version: old.version, lsn: old.lsn, chain: old.chain, catalog: reference,
                fileByteCount: old.fileByteCount)
        }
        return history
    }

    private static func change(
        _ record: inout ClassRecord, _ place: Place, _ file: inout AppendedPages
    ) {
        if place == .directory || place == .directoryOfTwo {
            let (groups, rows) = (record.groupCount, record.liveRowCount)
            let reference = file.append(isPair: place == .directoryOfTwo) { reference in
                let child = DirectoryNode.Child(
                    firstRowID: RowID(0), reference: reference, groupCount: groups,
                    liveRowCount: rows)
                return DirectoryNode(children: [child], level: 1).encoded()
            }
            record.directory = DirectoryRoot(reference: reference, level: 1)
        } else {
            let reference = file.append(isPair: place == .keyIndexOfTwo) { reference in
                var content = TreeContent(level: 1)
                for key: UInt8 in [0, 0xFF] {
                    content.append(
                        TreeChild(firstKey: [key], entryCount: 5, reference: reference))
                }
                return content.encoded(0..<2)
            }
            record.keyIndex = .tree(TreeRoot(reference: reference, level: 1, entryCount: 10))
        }
    }
}

/// Pages after the end of a file, for a root that leads to them.
private struct AppendedPages {
    private var bytes: [UInt8]
    var superblock: Superblock

    init(_ bytes: [UInt8], _ superblock: Superblock) {
        self.bytes = Array(bytes[..<Int(superblock.fileByteCount)])
        self.superblock = superblock
    }

    /// Adds a page with a reference to itself, or to another one that leads to it.
    ///
    /// - Parameter raw: returns the same length for either reference.
    mutating func append(
        isPair: Bool = false, _ raw: (PageReference) throws -> [UInt8]
    ) rethrows -> PageReference {
        let checksum: UInt64 = 0xFEDC_BA98_7654_3210
        let start = UInt64(bytes.count / Extent.unitByteCount)
        func stored(for reference: PageReference) throws -> [UInt8] {
            ChecksumEnding.room(for: Blob.encode(try raw(reference), level: .none))
        }
        func reference(_ start: UInt64, _ count: Int, _ checksum: UInt64) -> PageReference {
            PageReference(
                start: start, byteCount: UInt32(count), headByteCount: UInt32(count),
                checksum: checksum)
        }
        func seed(_ start: UInt64) -> UInt64 {
            PageReference.seed(fileID: superblock.fileID, start: start)
        }
        // The length is part of the bytes, and its own length varies.
        var count = 200
        for _ in 0..<4 { count = try stored(for: reference(start, count, checksum)).count }
        let units = Extent.units(forBytes: count)
        bytes += [UInt8](repeating: 0, count: 2 * Int(units) * Extent.unitByteCount)
        func put(_ page: [UInt8], _ start: UInt64) {
            let place = Int(start) * Extent.unitByteCount
            bytes.replaceSubrange(place..<place + page.count, with: page)
        }
        let first = reference(start, count, checksum)
        var target = first
        if isPair {
            // An ordinary page, except for its reference to a page that does not exist yet.
            let page = try stored(for: first)
            let second = start + units
            put(page, second)
            target = reference(
                second, page.count,
                page.withUnsafeBytes { Checksum.xxh64($0, seed: seed(second)) })
        }
        let page = try stored(for: target)
        precondition(page.count == count, "a reference takes other bytes than the other")
        put(
            ChecksumEnding.complete(
                Array(page.dropLast(8)), seed: seed(start), checksum: checksum), start)
        return first
    }

    /// The file with the root in all copies of the superblock.
    var whole: [UInt8] {
        var file = bytes
        var root = superblock
        root.fileByteCount = UInt64(file.count)
        for copy in root.copies {
            let place = Int(Superblock.offset(ofCopy: copy))
            file.replaceSubrange(
                place..<place + Superblock.recordByteCount, with: root.record(copy: copy))
        }
        return file
    }
}
