import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("The index of freezes")
struct FreezeIndexTests {
    private static func freeze(
        _ name: String, version: UInt64 = 3, expires: Int64? = nil, note: String = ""
    ) -> Freeze {
        Freeze(
            name: name, version: LSN(version), createdSeconds: -5, expiresSeconds: expires,
            note: note)
    }

    /// Random edits of an index, compared with a dictionary.
    @Test(
        "The index has every freeze that was made and neither dropped nor expired", arguments: 1...8
    )
    func edits(seed: UInt64) throws {
        let fixture = try TreeFixture()
        var generator = SplitMix64(seed: seed)
        var index = FreezeIndex()
        var model: [String: Freeze] = [:]
        var now: Int64 = 0
        for round in 0..<TestScale.scaled(60) {
            now += Int64(generator.next() % 40)
            var edits = FreezeEdits()
            for _ in 0..<(generator.next() % 60) {
                let name =
                    "\(["a", "b", "c", "é", "日"][Int(generator.next() % 5)])\(generator.next() % 400)"
                if generator.next() % 3 == 0 {
                    edits.drop(name)
                    model[name] = nil
                } else {
                    let freeze = Self.freeze(
                        name, version: generator.next() % 50,
                        expires: generator.next() % 4 == 0
                            ? now + Int64(generator.next() % 200) : nil,
                        note: String(repeating: "n", count: Int(generator.next() % 300)))
                    edits.add(freeze)
                    model[name] = freeze
                }
            }
            model = model.filter { !$0.value.isExpired(at: now) }
            index = try index.applying(
                edits, now: now, rewritesAll: generator.next() % 10 == 0, fixture.pages,
                &fixture.writer)
            try expect(index, equals: model, fixture, "seed \(seed), round \(round)")
        }
        #expect(index.leaves.count > 3)
    }

    private func expect(
        _ index: FreezeIndex, equals model: [String: Freeze], _ fixture: TreeFixture,
        _ comment: Comment
    ) throws {
        let freezes = try index.freezes(fixture.pages)
        #expect(freezes == model.values.sorted { $0.name < $1.name }, comment)
        for name in ["a1", "é7", "", "~"] + Array(model.keys.prefix(5)) {
            #expect(try index.freeze(named: name, fixture.pages) == model[name], comment)
        }
        let counts = Dictionary(grouping: model.values, by: \.version).mapValues(\.count)
        #expect(
            index.versions
                == counts.sorted { $0.key < $1.key }.map {
                    FreezeIndex.FrozenVersion(version: $0.key, freezeCount: $0.value)
                }, comment)
        let expiry = model.values.compactMap(\.expiresSeconds).min()
        #expect((index.earliestExpirySeconds ?? .max) <= expiry ?? .max, comment)
        var writer = ByteWriter()
        index.write(to: &writer)
        #expect(try Self.decode(writer.bytes) == index, comment)
    }

    private static func decode(_ bytes: [UInt8]) throws -> FreezeIndex {
        try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            return try FreezeIndex(from: &reader, endUnit: 1 << 40)
        }
    }

    @Test("A truncated index or one with a wrong count is refused")
    func hostileIndex() throws {
        let fixture = try TreeFixture()
        let edits = FreezeEdits(adding: (0..<300).map { Self.freeze("f\($0)", version: $0 % 7) })
        let index = try FreezeIndex().applying(
            edits, now: 0, rewritesAll: false, fixture.pages, &fixture.writer)
        var writer = ByteWriter()
        index.write(to: &writer)
        for length in 0..<writer.bytes.count {
            #expect(throws: CodecError.self) { try Self.decode(Array(writer.bytes[..<length])) }
        }
        var wrong = index
        wrong.versions.removeLast()
        writer = ByteWriter()
        wrong.write(to: &writer)
        #expect(throws: CodecError.self) { try Self.decode(writer.bytes) }
    }

    @Test("An index leaf with an impossible freeze is refused")
    func hostileLeaf() throws {
        func decode(_ names: [String]) throws -> [Freeze] {
            var writer = ByteWriter()
            Freeze.write(names.map { Self.freeze($0, expires: 9, note: "n") }, to: &writer)
            return try writer.bytes.withBytes { bytes throws(CodecError) in
                var reader = ByteReader(bytes)
                return try Freeze.list(from: &reader)
            }
        }
        #expect(try decode(["a", "b"]).map(\.name) == ["a", "b"])
        for names in [["a", "a"], ["1"], ["@x"], [""]] {
            #expect(throws: CodecError.self) { try decode(names) }
        }
    }
}
