import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The author and the note of a commit, from the transaction to the history.
@Suite("Annotations of commits")
struct AnnotationTests {
    private let disk = SimulatedFileSystem()
    private static let path = "/annotated.firn"

    private func open(
        _ logging: StoreOptions.Logging, readOnly: Bool = false, entropySeed: UInt64 = 2
    ) throws -> Store {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        return try Store.open(
            Self.path, readOnly: readOnly, services: disk.services(entropySeed: entropySeed),
            options: options)
    }

    private func make() throws {
        try makeSample(Self.path, rowCount: 3, services: disk.services(entropySeed: 1))
    }

    @discardableResult
    private func commit(
        _ number: Int, _ annotation: Annotation?, to store: Store, asPages: Bool = false
    ) throws -> LSN {
        let item = try store.itemClass()
        let transaction = try store.beginWrite()
        transaction.annotation = annotation
        if asPages { try transaction.becomeBulk() }
        try transaction.create(in: item.id, Sample.values(number))
        return try transaction.commit()
    }

    private func annotations(_ store: Store) throws -> [Annotation?] {
        try (LSN(2).rawValue...store.snapshot().version.rawValue).map {
            try store.commit(of: store.snapshot(at: .number(LSN($0))))?.annotation
        }
    }

    private func feature(_ store: Store) throws -> UInt64 {
        try store.readSuperblock().newest.incompatibleFeatures
    }

    @Test(
        "A commit keeps its author and its note, however it is made",
        arguments: [StoreOptions.Logging.never, .automatic, .always], [false, true])
    func kept(logging: StoreOptions.Logging, asPages: Bool) throws {
        try make()
        let store = try open(logging)
        let expected = [
            nil, Annotation(author: "Bo"), Annotation(note: "a \"note\"\n\u{1F43A}"), nil,
            Annotation(author: "Al", note: "both"), nil,
        ]
        for (number, annotation) in expected.enumerated() {
            try commit(10 + number, annotation, to: store, asPages: asPages)
        }
        #expect(try annotations(store) == expected)
        #expect(try annotations(open(.never, readOnly: true, entropySeed: 3)) == expected)
        try store.checkpoint()
        #expect(try annotations(store) == expected)
        try store.close()
        let reopened = try open(.never, readOnly: true, entropySeed: 4)
        #expect(try annotations(reopened) == expected)
        try expectSound(reopened)
    }

    @Test("Observers receive the annotation of the newest commit, however they read it")
    func observed() throws {
        try make()
        let writer = try open(.always)
        let reader = try open(.never, readOnly: true, entropySeed: 3)
        let note = Annotation(author: "Bo", note: "seen")
        try commit(9, note, to: writer)
        for asPages in [false, true] {
            let old = try reader.snapshot()
            try commit(asPages ? 10 : 11, nil, to: writer)
            try commit(asPages ? 12 : 13, note, to: writer, asPages: asPages)
            let new = try reader.snapshot()
            #expect(try reader.changes(from: old, to: new).commit?.annotation == note)
            try commit(asPages ? 14 : 15, nil, to: writer)
            let last = try reader.snapshot()
            #expect(try reader.changes(from: old, to: last).commit?.annotation == nil)
        }
    }

    @Test("A backlog delivers each commit with its annotation")
    func backlog() throws {
        try make()
        let store = try open(.always)
        let start = try commit(9, Annotation(note: "start"), to: store)
        for number in 10..<13 { try commit(number, Annotation(note: "\(number)"), to: store) }
        let backlog = CommitBacklog(store)
        var old = try store.snapshot(at: .number(start))
        var notes: [String?] = []
        try backlog.fill(after: start, through: store.snapshot().version)
        while let (new, changes) = try backlog.step(from: old) {
            notes.append(changes.commit?.annotation?.note)
            old = new
        }
        #expect(notes == ["10", "11", "12"])
    }

    /// Builds that do not know annotations would take a frame with one for damage, and end the log
    /// there. They must be stopped by the superblock, before the first such frame counts.
    @Test(
        "The root declares annotations before the first one is committed",
        arguments: [StoreOptions.Logging.never, .automatic, .always])
    func feature(logging: StoreOptions.Logging) throws {
        try make()
        let store = try open(logging)
        for number in 10..<14 { try commit(number, nil, to: store) }
        #expect(try feature(store) == 0)
        let version = try commit(14, Annotation(note: "first"), to: store)
        #expect(try feature(store) == Superblock.annotationFeature)
        #expect(try store.readSuperblock().newest.lsn == version)
        try commit(15, Annotation(note: "second"), to: store)
        try commit(16, nil, to: store)
        try store.close()
        #expect(try feature(open(.never, readOnly: true)) == Superblock.annotationFeature)
    }

    @Test("Only the first annotated commit of a log publishes a root")
    func rootCount() throws {
        try make()
        let store = try open(.always)
        for number in 10..<14 { try commit(number, Annotation(note: "n"), to: store) }
        let root = try store.readSuperblock().newest
        for number in 14..<18 { try commit(number, Annotation(note: "n"), to: store) }
        #expect(try store.readSuperblock().newest == root)
    }

    @Test("A transaction that changes nothing commits no annotation")
    func empty() throws {
        try make()
        let store = try open(.always)
        let transaction = try store.beginWrite()
        transaction.annotation = Annotation(note: "nothing")
        #expect(try transaction.commit() == LSN(1))
        #expect(try feature(store) == 0)
    }

    @Test("Hostile annotations are damage")
    func hostile() {
        let longer = [UInt8](repeating: 0x61, count: Annotation.authorByteCountMaximum + 1)
        var tooLong = ByteWriter()
        tooLong.u8(50)
        tooLong.string(String(decoding: longer, as: UTF8.self))
        tooLong.string("")
        for bytes in [[50, 0, 0], [50], [50, 1], [50, 1, 0xFF, 0], tooLong.bytes] {
            let operations = RecordedOperations(bytes: bytes, count: 1)
            #expect(operations.isAnnotated)
            #expect(throws: CodecError.self) { _ = try operations.annotation }
            #expect(throws: CodecError.self) { _ = try operations.decoded() }
        }
    }

    @Test("Annotations are equal if their bytes are equal")
    func equality() {
        #expect(Annotation(author: "\u{E9}") != Annotation(author: "e\u{301}"))
        #expect(Annotation(note: "n") == Annotation(note: "n"))
        #expect(Annotation() == nil)
    }
}
