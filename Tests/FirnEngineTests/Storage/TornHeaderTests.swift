import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The only bytes that are written in place, torn at every word.
@Suite("Superblocks torn during a write")
struct TornHeaderTests {
    /// The file before a commit, and after it.
    private struct Pair {
        let ledger = Ledger()
        /// The earlier state, with the guarantees given before the commit was acknowledged.
        let earlier: Ledger
        let before: [UInt8]
        let after: [UInt8]
        let copies: [Int]

        init(commits: Int) throws {
            let disk = try Ledger.disk()
            let store = try Ledger.open(disk.services(entropySeed: 1), logging: .never)
            for attempt in 100..<100 + commits { try ledger.commit(attempt, .pages, to: store) }
            earlier = Ledger(ledger)
            // The same attempt, whose acknowledgement was never received.
            let dying = disk.processDeathImage()
            dying.crash(at: 0)
            let lost = try Ledger.open(dying.services(entropySeed: 9), logging: .never)
            _ = try? earlier.commit(200, .pages, to: lost)
            before = try #require(disk.contents(of: Ledger.path))
            try ledger.commit(200, .pages, to: store)
            after = try #require(disk.contents(of: Ledger.path))
            copies = try store.snapshot().root.superblock.copies
        }

        func page(_ copy: Int) -> Range<Int> {
            let start = Int(Superblock.offset(ofCopy: copy))
            return start..<start + Superblock.pageByteCount
        }

        /// The file with all pages of the commit and some of the new copies of the superblock.
        func file(
            _ count: Int, _ tear: (Range<Int>, _ old: [UInt8], _ new: [UInt8]) -> [UInt8]
        ) -> [UInt8] {
            var file = after
            for (number, copy) in copies.enumerated() where number >= count {
                let range = page(copy)
                let (old, new) = (Array(before[range]), Array(after[range]))
                file.replaceSubrange(range, with: number == count ? tear(range, old, new) : old)
            }
            return file
        }
    }

    @Test(
        "A torn superblock leaves the previous root, or the new one once a copy is intact",
        arguments: [3, 4], [0, 1])
    func everyWord(commits: Int, wholeCopies: Int) throws {
        let pair = try Pair(commits: commits)
        var found: Set<UInt64> = []
        for place in stride(from: 0, through: Superblock.recordByteCount, by: 8) {
            let end = place + (Superblock.recordByteCount - place) / 16 * 8
            let tears: [(String, (Range<Int>, [UInt8], [UInt8]) -> [UInt8])] = [
                ("new in front", { _, old, new in Array(new[..<place] + old[place...]) }),
                ("new behind", { _, old, new in Array(old[..<place] + new[place...]) }),
                (
                    "new in the middle",
                    { _, old, new in Array(old[..<place] + new[place..<end] + old[end...]) }
                ),
                (
                    "old in the middle",
                    { _, old, new in Array(new[..<place] + old[place..<end] + new[end...]) }
                ),
            ]
            for (what, tear) in tears {
                do {
                    // Once the second copy is written the commit was acknowledged.
                    let ledger = Ledger(wholeCopies == 0 ? pair.earlier : pair.ledger)
                    found.insert(try check(pair.file(wholeCopies, tear), ledger).rawValue)
                } catch {
                    Issue.record("\(what) at byte \(place): \(error)")
                }
                RunCounters.crashImages.add(1)
            }
        }
        #expect(found.count == (wholeCopies == 0 ? 2 : 1), "\(found)")
    }

    private func check(_ file: [UInt8], _ ledger: Ledger) throws -> LSN {
        let disk = SimulatedFileSystem()
        disk.setContents(of: Ledger.path, to: file)
        let reader = try Ledger.open(disk.services(entropySeed: 2), readOnly: true)
        let version = try ledger.look(reader)
        let writer = try Ledger.open(disk.services(entropySeed: 3), logging: .never)
        try ledger.commit(300, .pages, to: writer)
        try expectSound(writer, allowingTornCopy: true)
        try ledger.look(reader)
        return version
    }
}
