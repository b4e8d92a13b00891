import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Damaged files")
struct DamageTests {
    private static let path = "/damage.firn"

    /// The content of a file: the newest version, and a frozen one if there is one.
    private struct Content: Hashable {
        var newest: [UInt64: [Value]]
        var frozen: [UInt64: [Value]]?

        init(_ store: Store) throws {
            newest = try store.contents()
            guard let freeze = try store.snapshot().freezes().first else { return }
            frozen = try FirnEngineTests.contents(of: store.snapshot(at: .freeze(freeze.name)))
        }
    }

    private enum Kind: CaseIterable {
        /// Deleted rows, several row groups and a used free list.
        case plain
        /// With a freeze, older roots, and commits in the history.
        case versions
    }

    private static func sample(_ kind: Kind = .plain) throws -> (bytes: [UInt8], contents: Content)
    {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample(path, rowCount: 20, services: services)
        var options = StoreOptions()
        options.logging = .never
        let store = try Store.open(path, readOnly: false, services: services, options: options)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        try transaction.delete(RowID(3), in: schema.id)
        try transaction.create(in: schema.id, Sample.values(20))
        _ = try transaction.commit()
        for number in 21..<(kind == .versions ? 25 : 21) {
            let transaction = try store.beginWrite()
            try transaction.create(in: schema.id, Sample.values(number))
            if number == 22 { try transaction.freeze(name: "kept") }
            _ = try transaction.commit()
        }
        return (try #require(disk.contents(of: path)), try Content(store))
    }

    /// The result of reading everything: the content, or a typed error.
    private static func read(_ bytes: [UInt8]) -> Result<Content, any Error> {
        RunCounters.damagedFiles.add(1)
        return Result {
            let disk = SimulatedFileSystem()
            disk.setContents(of: path, to: bytes)
            let services = disk.services(entropySeed: 2)
            return try Content(Store.open(path, readOnly: true, services: services))
        }
    }

    @Test(
        "A file with any byte changed gives an error or the same content", .tags(.security),
        arguments: Kind.allCases)
    private func everyByte(kind: Kind) throws {
        let (bytes, contents) = try DamageTests.sample(kind)
        var generator = SplitMix64(seed: 7 + TestScale.firstSeed)
        var identical = 0
        let step = kind == .plain ? 1 : max(1, 4 / TestScale.factor)
        let first = Int(TestScale.firstSeed % UInt64(step))
        for offset in stride(from: first, to: bytes.count, by: step) {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            switch DamageTests.read(damaged) {
            case .success(let found):
                identical += 1
                #expect(found == contents, "wrong contents after a change at byte \(offset)")
            case .failure(let error):
                let code = (error as? StoreError)?.code
                #expect(
                    code == .corrupt || code == .notADatabase || code == .formatTooNew,
                    "byte \(offset): \(error)")
            }
        }
        #expect(identical < bytes.count / step, "no change was noticed at all")
    }

    @Test(
        "A truncated file is an error at any length", .tags(.security),
        arguments: Kind.allCases)
    private func everyLength(kind: Kind) throws {
        let (bytes, _) = try DamageTests.sample(kind)
        for length in bytes.indices {
            guard case .failure(let error) = DamageTests.read(Array(bytes[..<length])) else {
                Issue.record("\(length) of \(bytes.count) bytes were read without an error")
                continue
            }
            let code = (error as? StoreError)?.code
            #expect(code == .corrupt || code == .notADatabase, "length \(length): \(error)")
        }
    }

    @Test("A file with junk after its end still has its content", .tags(.security))
    func junk() throws {
        let (bytes, contents) = try DamageTests.sample()
        #expect(try DamageTests.read(bytes + Array(repeating: 0xA5, count: 5000)).get() == contents)
    }

    @Test(
        "A zeroed page or two swapped pages never make a reader return wrong content",
        .tags(.security),
        arguments: Kind.allCases)
    private func pages(kind: Kind) throws {
        let (bytes, contents) = try DamageTests.sample(kind)
        let pages = bytes.count / 512
        func page(_ number: Int) -> Range<Int> { (number * 512)..<((number + 1) * 512) }
        for number in 0..<pages {
            var damaged = bytes
            damaged.replaceSubrange(page(number), with: Array(repeating: 0, count: 512))
            if case .success(let found) = DamageTests.read(damaged) { #expect(found == contents) }
            let other = (number + 8) % pages
            damaged = bytes
            damaged.replaceSubrange(page(number), with: bytes[page(other)])
            damaged.replaceSubrange(page(other), with: bytes[page(number)])
            if case .success(let found) = DamageTests.read(damaged) { #expect(found == contents) }
        }
    }

    /// A node of a directory was once named by each of the four steps that search for row groups.
    @Test("Damage is reported once for each page, wherever it is")
    func findings() throws {
        let (bytes, _) = try DamageTests.sample()
        var found = 0
        for offset in stride(from: Superblock.headerByteCount, to: bytes.count, by: 64) {
            var damaged = bytes
            damaged[offset] ^= 0x10
            let disk = SimulatedFileSystem()
            disk.setContents(of: DamageTests.path, to: damaged)
            let services = disk.services(entropySeed: 2)
            // A file without its catalog cannot be opened.
            guard
                let store = try? Store.open(
                    DamageTests.path, readOnly: true, services: services)
            else { continue }
            var verifier = Verifier(store, isDeep: true)
            guard let messages = try? verifier.run().findings.map(\.message) else { continue }
            found += messages.count
            #expect(Set(messages).count == messages.count, "byte \(offset): \(messages)")
        }
        #expect(found > 10)
    }

    @Test("A file with one destroyed superblock copy loses nothing, and check reports the copy")
    func oneCopy() throws {
        let (bytes, contents) = try DamageTests.sample()
        for copy in 0..<4 {
            var damaged = bytes
            damaged.replaceSubrange(
                (copy * 4096)..<((copy + 1) * 4096), with: Array(repeating: 0xFF, count: 4096))
            #expect(try DamageTests.read(damaged).get() == contents)
        }
    }

    @Test(
        "A file of a newer format is reported as such, and other files are reported by their kind")
    func foreign() throws {
        let (bytes, _) = try DamageTests.sample()
        var newer = bytes
        for copy in 0..<4 { newer[copy * 4096 + 8] = 9 }
        func code(_ bytes: [UInt8]) -> StoreError.Code? {
            if case .failure(let error) = DamageTests.read(bytes) {
                return (error as? StoreError)?.code
            }
            return nil
        }
        #expect(code(newer) == .formatTooNew)
        // A newer build committed once: the other slot still holds a root of ours, which was once
        // opened, and the next commit would have overwritten the newer one.
        for slot in 0..<2 {
            var upgraded = bytes
            for copy in [slot, slot + 2] {
                upgraded.replaceSubrange(
                    (copy * 4096)..<(copy * 4096 + 8), with: Superblock.magic)
                upgraded[copy * 4096 + 8] = 9
            }
            #expect(code(upgraded) == .formatTooNew)
        }
        // A single copy that looks newer is damage.
        var flipped = bytes
        flipped[4096 + 8] = 9
        #expect(code(flipped) == nil)
        #expect(code([]) == .notADatabase)
        #expect(code(Array("id,name\n1,x\n".utf8)) == .notADatabase)
        #expect(code(Array(repeating: 0, count: 100_000)) == .notADatabase)
    }
}
