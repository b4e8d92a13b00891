import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// With both copies of the newest slot damaged, the version before was shown without a warning,
/// `check` found nothing, and the next writer reused the number of the lost version.
///
/// In all images that crashes left, each slot had a whole copy: a slot without one was damaged.
@Suite("Slots of the superblock")
struct LostSlotTests {
    /// A database after some commits.
    private struct Sample {
        static let path = "/slots.firn"
        let bytes: [UInt8]
        let newest: Superblock
        /// The content by version, of the newest root and of the one before.
        let contents: [LSN: [UInt64: [Value]]]

        /// - Parameter commits: the number of commits after the one that creates the database.
        init(commits: Int) throws {
            let disk = SimulatedFileSystem()
            let services = disk.services(entropySeed: 5)
            try makeSample(Self.path, rowCount: 10, services: services)
            var options = StoreOptions()
            options.logging = .never
            let store = try Store.open(
                Self.path, readOnly: false, services: services, options: options)
            // The content of the root before the first commit.
            var contents: [LSN: [UInt64: [Value]]] = [.zero: [:]]
            contents[try store.snapshot().version] = try store.contents()
            for number in 0..<commits {
                let transaction = try store.beginWrite()
                try transaction.create(
                    in: store.itemClass().id, FirnEngineTests.Sample.values(100 + number))
                let version = try transaction.commit()
                contents[version] = try store.contents()
            }
            newest = try store.snapshot().root.superblock
            self.contents = contents
            bytes = try #require(disk.contents(of: Self.path))
        }

        func disk(_ file: [UInt8]) -> SimulatedFileSystem {
            let disk = SimulatedFileSystem()
            disk.setContents(of: Self.path, to: file)
            return disk
        }

        /// Checks that the file still equals the sample, for readers and for both kinds of writers.
        func expectWhole(_ file: [UInt8], _ what: String) throws {
            RunCounters.damagedFiles.add(1)
            let disk = disk(file)
            let store = try Store.open(
                Self.path, readOnly: true, services: disk.services(entropySeed: 6))
            #expect(try store.contents() == contents[newest.lsn], Comment(rawValue: what))
            let writer = try Store.open(
                Self.path, readOnly: false, services: disk.services(entropySeed: 7))
            let transaction = try writer.beginWrite()
            try transaction.create(in: writer.itemClass().id, FirnEngineTests.Sample.values(900))
            #expect(try transaction.commit() == newest.lsn.next, Comment(rawValue: what))
            try writer.close()
            var verifier = Verifier(
                try Store.open(
                    Self.path, readOnly: true, services: disk.services(entropySeed: 8)),
                isDeep: false)
            let report = try verifier.run()
            #expect(report.notes.isEmpty, Comment(rawValue: what))
            #expect(report.findings.isEmpty, Comment(rawValue: what))
        }

        /// Checks that readers and writers report a possible loss, and how to save the rest.
        ///
        /// - Parameter left: the version that is left.
        func expectLost(_ file: [UInt8], left: LSN, _ what: String) throws {
            RunCounters.damagedFiles.add(1)
            let disk = disk(file)
            for readOnly in [true, false] {
                let error = #expect(throws: StoreError.self, Comment(rawValue: what)) {
                    let store = try Store.open(
                        Self.path, readOnly: readOnly, services: disk.services(entropySeed: 6))
                    _ = try store.snapshot()
                }
                #expect(error?.code == .corrupt, Comment(rawValue: what))
                #expect(error?.remedy?.contains("--salvage") == true, Comment(rawValue: what))
            }
            #expect(disk.contents(of: Self.path) == file && disk.fileNames == [Self.path])
            let services = disk.services(entropySeed: 9)
            let rest = try Store.openForSalvage(Self.path, services: services)
            let snapshot = try rest.snapshot()
            #expect(snapshot.version == left, Comment(rawValue: what))
            _ = try rest.salvage(snapshot, to: "/saved.firn")
            let saved = try Store.open("/saved.firn", readOnly: true, services: services)
            #expect(try saved.contents() == contents[left], Comment(rawValue: what))
        }

        func page(_ copy: Int) -> Int { copy * Superblock.pageByteCount }
    }

    private enum Damage: CaseIterable {
        case zeros, garbage, bit

        func apply(to file: inout [UInt8], _ range: Range<Int>, _ generator: inout SplitMix64) {
            switch self {
            case .zeros:
                file.replaceSubrange(range, with: repeatElement(0, count: range.count))
            case .garbage: file.replaceSubrange(range, with: generator.bytes(range.count))
            case .bit:
                file[range.lowerBound + Int(generator.next() % UInt64(range.count))] ^=
                    1 << UInt8(generator.next() % 8)
            }
        }
    }

    /// Ranges of a record: each 32 bytes, and all of it.
    private static let ranges: [Range<Int>] =
        stride(from: 0, to: Superblock.recordByteCount, by: 32).map { $0..<$0 + 32 }
        + [0..<Superblock.recordByteCount]

    @Test(
        "A slot with one intact copy loses nothing, whichever bytes of the other copy are damaged")
    func oneCopy() throws {
        var generator = SplitMix64(seed: 41)
        var count = 0
        for commits in [0, 1, 4] {
            let sample = try Sample(commits: commits)
            for copy in 0..<Superblock.copyCount {
                for range in Self.ranges {
                    for damage in Damage.allCases {
                        var file = sample.bytes
                        let start = sample.page(copy)
                        damage.apply(
                            to: &file, start + range.lowerBound..<start + range.upperBound,
                            &generator)
                        try sample.expectWhole(file, "\(commits), \(copy), \(range), \(damage)")
                        count += 1
                    }
                }
            }
        }
        print("damaged one copy of a superblock \(count) times")
    }

    @Test("A slot without a whole copy is an error that says how to save the rest")
    func bothCopies() throws {
        var generator = SplitMix64(seed: 42)
        var count = 0
        for commits in [0, 1, 4] {
            let sample = try Sample(commits: commits)
            for slot in 0..<2 {
                let isNewest = Int(sample.newest.rootVersion.rawValue & 1) == slot
                let left = isNewest ? LSN(sample.newest.lsn.rawValue - 1) : sample.newest.lsn
                for (first, second) in zip(Self.ranges, Self.ranges.shuffled(using: &generator)) {
                    for damage in Damage.allCases {
                        var file = sample.bytes
                        for (copy, range) in [(slot, first), (slot + 2, second)] {
                            let start = sample.page(copy)
                            damage.apply(
                                to: &file, start + range.lowerBound..<start + range.upperBound,
                                &generator)
                        }
                        // Zeros over zeros damage nothing.
                        let isDamaged = [slot, slot + 2].allSatisfy { copy in
                            let start = sample.page(copy)
                            return file[start..<start + 512] != sample.bytes[start..<start + 512]
                        }
                        guard isDamaged else { continue }
                        try sample.expectLost(
                            file, left: left, "\(commits), \(slot), \(first), \(second), \(damage)")
                        count += 1
                    }
                }
            }
        }
        print("damaged both copies of a slot \(count) times")
        #expect(count > 200)
    }

    @Test("An overwritten start of the file is an error", arguments: [12, 9])
    func beginning(kibibytes: Int) throws {
        var generator = SplitMix64(seed: 43)
        // Copy 3 belongs to the slot of odd roots: with 4 commits it has the newest.
        for commits in [0, 1, 4, 5] {
            let sample = try Sample(commits: commits)
            let isNewestLeft = sample.newest.rootVersion.rawValue & 1 == 1
            let left = isNewestLeft ? sample.newest.lsn : LSN(sample.newest.lsn.rawValue - 1)
            for damage in [Damage.zeros, .garbage] {
                var file = sample.bytes
                damage.apply(to: &file, 0..<kibibytes << 10, &generator)
                try sample.expectLost(file, left: left, "\(commits), \(damage)")
                let disk = sample.disk(file)
                #expect(try DatabaseFile.isPart(of: Sample.path, disk))
            }
        }
    }

    /// A power loss after a commit and before the next one may tear the second copy, which is not
    /// synced: `check` called that damage.
    @Test("A torn second copy is reported, is not damage, and is repaired by the next commit")
    func tornSecondCopy() throws {
        let sample = try Sample(commits: 4)
        for place in stride(from: 8, to: Superblock.recordByteCount, by: 24) {
            for (first, isNote) in [(false, true), (true, false)] {
                var file = sample.bytes
                let start = sample.page(sample.newest.copies[first ? 0 : 1])
                file.replaceSubrange(
                    start + place..<start + 512, with: repeatElement(0xA5, count: 512 - place))
                let disk = sample.disk(file)
                let services = disk.services(entropySeed: 4)
                var verifier = Verifier(
                    try Store.open(Sample.path, readOnly: true, services: services),
                    isDeep: false)
                let report = try verifier.run()
                #expect(report.notes.map(\.kind) == (isNote ? [.superblock] : []))
                #expect(report.findings.map(\.kind) == (isNote ? [] : [.superblock]))
                try sample.expectWhole(file, "\(place), \(first)")
            }
        }
    }

    @Test("The slots of a database without a commit, or with its first one, are never empty")
    func firstRoots() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 5)
        try Store.create(Sample.path, services: services).publish()
        let whole = try #require(disk.contents(of: Sample.path))
        #expect(
            try Store.open(Sample.path, readOnly: true, services: services).snapshot().version
                == .zero)
        for slot in 0..<2 {
            var file = whole
            for copy in [slot, slot + 2] {
                file.replaceSubrange(
                    copy * 4096..<copy * 4096 + 512, with: repeatElement(0, count: 512))
            }
            disk.setContents(of: Sample.path, to: file)
            #expect(throws: StoreError.self) {
                try Store.open(Sample.path, readOnly: true, services: services)
            }
        }
    }

    @Test("In a file from an earlier build, a slot may be empty before the first commit")
    func earlierBuild() throws {
        let empty = try Fixtures.bytes("golden/format-1/empty.firn")
        let disk = SimulatedFileSystem()
        func version() throws -> LSN {
            try Store.open(Sample.path, readOnly: true, services: disk.services(entropySeed: 5))
                .snapshot().version
        }
        disk.setContents(of: Sample.path, to: empty)
        #expect(try version() == .zero)
        // The state that its first commit may leave: one torn copy.
        var torn = empty
        torn.replaceSubrange(4096..<4296, with: repeatElement(0x77, count: 200))
        disk.setContents(of: Sample.path, to: torn)
        #expect(try version() == .zero)
        // The second copy is written when the first one is on disk.
        torn.replaceSubrange(12288..<12300, with: repeatElement(0x77, count: 12))
        disk.setContents(of: Sample.path, to: torn)
        #expect(throws: StoreError.self) { try version() }
    }
}
