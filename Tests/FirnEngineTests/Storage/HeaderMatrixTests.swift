import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Every field of the superblock, with values that could break a careless reader and with a
/// recomputed checksum, so that the value itself is checked.
@Suite("Forged superblocks")
struct HeaderMatrixTests {
    /// The effect of the values of a field if all copies have them.
    private enum Outcome: Sendable {
        /// The file cannot be opened or read.
        case refused(StoreError.Code)
        /// An error, or a finding of the check, but never other content.
        case noticed
        /// An error, or the same content.
        case tolerated
        /// The same content, and another commit.
        case harmless
        /// The same content, and no commit.
        case readOnly
    }

    private struct Field: Sendable, CustomTestStringConvertible {
        let name: String
        let offset: Int
        /// The width in bytes.
        let width: Int
        let outcome: Outcome
        var values: [UInt64] = []
        /// Amounts added to the stored value.
        var steps: [Int64] = []

        var testDescription: String { "\(name): \(values) \(steps)" }
    }

    private static let extremes: [UInt64] = [
        0, 1, 3, 1 << 31, 1 << 47, 1 << 47 + 1, UInt64(Int64.max) - 511, UInt64(Int64.max), .max,
    ]
    private static let shortExtremes: [UInt64] = [
        0, 1, 3, 1 << 31 - 1, 1 << 31, UInt64(UInt32.max),
    ]
    private static let bits: [UInt64] = [1, 2, 1 << 31, 1 << 32, 1 << 63, .max]

    private static func reference(_ name: String, at offset: Int) -> [Field] {
        // A first unit of 0 means that there is none.
        [
            Field(
                name: "\(name), first unit", offset: offset, width: 8, outcome: .noticed,
                values: Array(extremes.dropFirst()) + [31, 1 << 38 - 1], steps: [1, -1]),
            Field(
                name: "\(name), bytes", offset: offset + 8, width: 4, outcome: .noticed,
                values: shortExtremes, steps: [1, -1, 512]),
            Field(
                name: "\(name), head", offset: offset + 12, width: 4, outcome: .noticed,
                values: shortExtremes, steps: [1, -1]),
            Field(
                name: "\(name), checksum", offset: offset + 16, width: 8, outcome: .noticed,
                values: [0, .max], steps: [1]),
        ]
    }

    private static let fields: [Field] =
        [
            Field(
                name: "magic", offset: 0, width: 8, outcome: .refused(.notADatabase),
                values: [0, .max], steps: [1, 1 << 32]),
            Field(
                name: "format", offset: 8, width: 4, outcome: .refused(.formatTooNew),
                values: [2, 3, 1 << 31, UInt64(UInt32.max)]),
            Field(
                name: "no format", offset: 8, width: 4, outcome: .refused(.corrupt), values: [0]),
            Field(
                name: "copy", offset: 12, width: 4, outcome: .refused(.corrupt),
                values: [4, 1 << 31, UInt64(UInt32.max)], steps: [1, 2]),
            Field(
                name: "compatible features", offset: 16, width: 8, outcome: .harmless, values: bits),
            Field(
                name: "read-only features", offset: 24, width: 8, outcome: .readOnly,
                values: bits.filter { $0 != Superblock.indexFeature }),
            Field(
                name: "incompatible features", offset: 32, width: 8,
                outcome: .refused(.formatTooNew),
                values: bits.filter { $0 != Superblock.annotationFeature }),
            Field(
                name: "file id", offset: 40, width: 8, outcome: .refused(.corrupt),
                values: [0, .max], steps: [1]),
            Field(
                name: "unit", offset: 56, width: 4, outcome: .refused(.corrupt),
                values: shortExtremes + [511, 513, 4096]),
            Field(
                name: "rows", offset: 60, width: 4, outcome: .refused(.corrupt),
                values: [0, 65_537, 1 << 31, UInt64(UInt32.max)]),
            Field(
                name: "other rows", offset: 60, width: 4, outcome: .harmless,
                values: [1, 3, 65_536]),
            Field(
                name: "root version", offset: 64, width: 8, outcome: .refused(.corrupt),
                values: [1 << 59, 1 << 59 + 1, UInt64(Int64.max), .max], steps: [1, -1]),
            Field(
                name: "other root version", offset: 64, width: 8, outcome: .tolerated,
                values: [0, 1, 2, 3, 1 << 31, 1 << 59 - 2, 1 << 59 - 1], steps: [2, -2]),
            Field(
                name: "version", offset: 72, width: 8, outcome: .tolerated, values: extremes,
                steps: [1, -1]),
            Field(
                name: "length", offset: 80, width: 8, outcome: .refused(.corrupt),
                values: extremes.filter { $0 != 1 << 47 } + [16_383, 16_384], steps: [1, 512]),
            Field(
                name: "shorter length", offset: 80, width: 8, outcome: .tolerated,
                steps: [-1, -511, -512, -1024]),
            Field(
                name: "state", offset: 136, width: 4, outcome: .refused(.corrupt),
                values: [2, 3, 1 << 31, UInt64(UInt32.max)]),
            Field(
                name: "log", offset: 136, width: 4, outcome: .refused(.logMissing), values: [1]),
            Field(
                name: "log generation", offset: 144, width: 8, outcome: .harmless,
                values: extremes),
            Field(
                name: "checksum of the root before", offset: 152, width: 8, outcome: .tolerated,
                values: extremes),
            Field(name: "created", offset: 160, width: 8, outcome: .harmless, values: extremes),
            Field(name: "chain", offset: 192, width: 8, outcome: .tolerated, values: extremes),
            Field(
                name: "log segment", offset: 200, width: 8, outcome: .harmless, values: extremes),
            Field(
                name: "reserved", offset: 140, width: 4, outcome: .harmless,
                values: shortExtremes),
            Field(
                name: "zeros", offset: 496, width: 8, outcome: .harmless, values: [1, .max]),
        ] + reference("catalog", at: 88) + reference("free space", at: 112)
        + reference("history", at: 168)

    private static let sample = Result { try HeaderSample() }

    @Test(
        "A forged field is refused, detected or harmless, and the file is never overwritten",
        .tags(.security),
        arguments: fields)
    private func everyValue(field: Field) throws {
        let sample = try Self.sample.get()
        for copies in [[0, 1, 2, 3], sample.superblock.copies, [sample.superblock.copies[0]]] {
            let changes =
                field.values.map { value in { @Sendable (_: UInt64) in value } }
                + field.steps.map { step in { $0 &+ UInt64(bitPattern: step) } }
            for (index, change) in changes.enumerated() {
                let file = sample.file(copies, at: field.offset, width: field.width, change)
                guard file != sample.bytes else { continue }
                let what = "\(field.name) \(index), copies \(copies)"
                // One copy of a root has a twin, and one slot another root.
                try expect(copies.count == 4 ? field.outcome : .tolerated, file, sample, what)
            }
        }
    }

    @Test("References that lead to each other's pages are noticed", .tags(.security))
    func exchanged() throws {
        let sample = try Self.sample.get()
        let places = [88, 112, 168]
        for from in places {
            for to in places where from != to {
                let other = Array(
                    sample.bytes[sample.newestOffset + from..<sample.newestOffset + from + 24])
                let file = sample.file([0, 1, 2, 3]) {
                    $0.replaceSubrange(to..<to + 24, with: other)
                }
                try expect(.noticed, file, sample, "the reference of \(from) at \(to)")
            }
        }
    }

    private func expect(
        _ outcome: Outcome, _ file: [UInt8], _ sample: HeaderSample, _ what: String
    ) throws {
        RunCounters.forgedFiles.add(1)
        let comment = Comment(rawValue: what)
        let seen = try sample.read(file)
        #expect(seen.isUntouched, comment)
        if let content = seen.content {
            // A slot that is not trusted leaves the root before.
            #expect(sample.contents.contains(content), comment)
        }
        let written = try [StoreOptions.Logging.never, .always].map { try sample.write(file, $0) }
        switch outcome {
        case .refused(let code):
            #expect(seen.code == code, comment)
            #expect(written.allSatisfy { $0.code == code && $0.isUntouched }, comment)
        case .noticed: #expect(seen.code != nil || seen.hasFindings, comment)
        case .tolerated: break
        case .harmless:
            #expect(seen.content == sample.contents[0] && seen.code == nil, comment)
            #expect(written.allSatisfy { $0.code == nil }, comment)
        case .readOnly:
            #expect(seen.content == sample.contents[0] && seen.code == nil, comment)
            #expect(written.allSatisfy { $0.code == .formatTooNew && $0.isUntouched }, comment)
        }
    }
}

/// A file with a history and a freeze, and operations on changed versions of the file.
private struct HeaderSample: Sendable {
    /// The result of using a file.
    struct Use {
        var code: StoreError.Code?
        var content: [UInt64: [Value]]?
        var hasFindings = false
        let isUntouched: Bool
    }

    let bytes: [UInt8]
    let superblock: Superblock
    /// The content of the newest root and of the one before.
    let contents: [[UInt64: [Value]]]

    var newestOffset: Int { Int(Superblock.offset(ofCopy: superblock.copies[0])) }

    init() throws {
        let fixture = try VersionFixture(rowCount: 10) { $0.history.commitCount = 6 }
        for _ in 0..<5 { try fixture.commit() }
        try fixture.commit { try $0.freeze(name: "f") }
        for _ in 0..<9 { try fixture.commit() }
        let before = try fixture.store.contents()
        try fixture.commit()
        bytes = try #require(fixture.disk.contents(of: VersionFixture.path))
        superblock = try fixture.store.snapshot().root.superblock
        contents = [try fixture.store.contents(), before]
    }

    /// The file with some copies changed and their checksums recomputed.
    func file(_ copies: [Int], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var file = bytes
        for copy in copies {
            let start = Int(Superblock.offset(ofCopy: copy))
            let end = start + Superblock.recordByteCount
            var record = Array(file[start..<end - 8])
            change(&record)
            let checksum = record.withUnsafeBytes { Checksum.xxh64($0, seed: UInt64(copy)) }
            file.replaceSubrange(
                start..<end,
                with: record + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) })
        }
        return file
    }

    func file(
        _ copies: [Int], at offset: Int, width: Int, _ change: (UInt64) -> UInt64
    ) -> [UInt8] {
        file(copies) { record in
            let old = (0..<width).reduce(UInt64(0)) { $0 | UInt64(record[offset + $1]) << ($1 * 8) }
            let new = change(old)
            for index in 0..<width {
                record[offset + index] = UInt8(truncatingIfNeeded: new >> (index * 8))
            }
        }
    }

    func read(_ file: [UInt8]) throws -> Use {
        try use(file) { services, content, hasFindings in
            let store = try Store.open(VersionFixture.path, readOnly: true, services: services)
            content = try store.contents()
            var verifier = Verifier(store, isDeep: true)
            hasFindings = try !verifier.run().findings.isEmpty
            _ = try store.versions()
            _ = try FirnEngineTests.contents(of: store.snapshot(at: .freeze("f")))
        }
    }

    func write(_ file: [UInt8], _ logging: StoreOptions.Logging) throws -> Use {
        try use(file) { services, content, _ in
            var options = StoreOptions()
            options.logging = logging
            let store = try Store.open(
                VersionFixture.path, readOnly: false, services: services, options: options)
            for _ in 0..<2 {
                let item = try store.itemClass()
                let transaction = try store.beginWrite()
                try transaction.create(
                    in: item.id, Sample.values(50 + Int(services.entropy.random64() % 1000)))
                _ = try transaction.commit()
            }
            content = try store.contents()
            try store.close()
        }
    }

    private func use(
        _ file: [UInt8],
        _ body: (SystemServices, inout [UInt64: [Value]]?, inout Bool) throws -> Void
    ) throws -> Use {
        let disk = SimulatedFileSystem()
        disk.setContents(of: VersionFixture.path, to: file)
        var content: [UInt64: [Value]]?
        var hasFindings = false
        var code: StoreError.Code?
        do {
            try body(disk.services(entropySeed: 3), &content, &hasFindings)
        } catch let error as StoreError {
            code = error.code
        }
        return Use(
            code: code, content: content, hasFindings: hasFindings,
            isUntouched: disk.fileNames == [VersionFixture.path]
                && disk.contents(of: VersionFixture.path) == file)
    }
}
