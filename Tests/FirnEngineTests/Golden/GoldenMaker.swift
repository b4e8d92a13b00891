import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnEngine

/// Makes the databases under `Tests/Fixtures/golden`, with the build that they preserve.
///
/// Disabled unless the environment variable `FIRN_GOLDEN` names an empty folder for them. A writer
/// with a log is ended by SIGKILL, so that the files are in the state that a crash leaves; the
/// shared memory beside them is meaningless after a reboot, and is not kept.
@Suite(
    "Databases for later builds",
    .enabled(if: Environment.variable("FIRN_GOLDEN") != nil), .serialized)
struct GoldenMaker {
    private static var folder: String { Environment.variable("FIRN_GOLDEN") ?? "" }

    private static func path(_ name: String) -> String { "\(folder)/\(name).firn" }

    static func options(_ logging: StoreOptions.Logging) -> StoreOptions {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        options.logStepByteCount = 4096
        options.rowsPerGroup = 16
        return options
    }

    private static func create(_ name: String, _ logging: StoreOptions.Logging) throws -> Store {
        let creation = try Store.create(path(name), options: options(logging))
        try creation.publish()
        return creation.store
    }

    @Test("A database with every type of property is made")
    func types() throws {
        let store = try Self.create("types", .never)
        var transaction = try store.beginWrite()
        let person = try transaction.addClass(
            ClassDefinition(
                name: "Person", properties: [.init(name: "name", type: PropertyType(.string))]))
        let part = try transaction.addClass(
            ClassDefinition(
                name: "Part", properties: [.init(name: "n", type: PropertyType(.int))],
                isEmbedded: true))
        let columns = GoldenContent.columns(person: person.id, part: part.id)
        let all = try transaction.addClass(
            ClassDefinition(
                name: "Everything", properties: columns.map { $0.definition.indexed },
                indexes: [GoldenContent.compoundIndex(of: columns)]))
        for row in GoldenContent.personRows { try transaction.create(in: person.id, row) }
        for row in GoldenContent.partRows { try transaction.create(in: part.id, row) }
        for index in 0..<3 { try transaction.create(in: all.id, columns.map { $0.values[index] }) }
        _ = try transaction.commit()
        transaction = try store.beginWrite()
        let many = try transaction.addClass(
            ClassDefinition(
                name: "Many",
                properties: [
                    .init(name: "key", type: PropertyType(.string), isIndexed: true),
                    .init(name: "numbers", type: PropertyType(.int, container: .list)),
                ], keyName: "key",
                indexes: [.init(["key"], options: [.unique, .caseInsensitive])]))
        for number in 0..<GoldenContent.manyCount {
            try transaction.create(in: many.id, GoldenContent.manyRow(number))
        }
        for number in GoldenContent.manyDeleted {
            try transaction.delete(RowID(UInt64(number)), in: many.id)
        }
        _ = try transaction.commit()
        try store.close()
    }

    @Test("A database without any commit is made")
    func empty() throws { try Self.create("empty", .never).close() }

    @Test("A database with only its first commit is made")
    func oneRoot() throws {
        let creation = try Store.create(Self.path("one-root"), options: Self.options(.never))
        try GoldenMarks.addClass(to: creation.store)
        try creation.publish()
        try creation.store.close()
    }

    @Test("A database with older versions and freezes is made")
    func history() throws {
        let store = try Self.create("history", .never)
        try GoldenMarks.addClass(to: store)
        for number in 2...20 { try GoldenMarks.commit(number, to: store) }
        try store.close()
    }

    @Test("A database with one log segment after a kill is made")
    func logOne() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try Self.create("log-one", .always)
            try GoldenMarks.addClass(to: store)
            for number in 2...20 { try GoldenMarks.commit(number, to: store) }
            kill(getpid(), SIGKILL)
        }
    }

    @Test("A database with two log segments after a kill, neither of them folded, is made")
    func logTwo() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try Self.create("log-two", .always)
            try GoldenMarks.addClass(to: store)
            for number in 2...9 { try GoldenMarks.commit(number, to: store) }
            // The beginning of a checkpoint that dies before its root.
            let attachment = try #require(store.state.withLock { $0.attachment })
            try attachment.changeSegmentIfFree(try #require(try attachment.newestHead()))
            for number in 10...20 { try GoldenMarks.commit(number, to: store) }
            kill(getpid(), SIGKILL)
        }
    }

    @Test("A database with two log segments after a kill, the first one folded, is made")
    func logTwoFolded() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try Self.create("log-two-folded", .always)
            try GoldenMarks.addClass(to: store)
            for number in 2...9 { try GoldenMarks.commit(number, to: store) }
            try store.checkpoint()
            for number in 10...20 { try GoldenMarks.commit(number, to: store) }
            kill(getpid(), SIGKILL)
        }
    }
}

extension ClassDefinition.Property {
    /// The same property with an index, if its type can be indexed.
    fileprivate var indexed: ClassDefinition.Property {
        ClassDefinition.Property(
            name: name, type: type, display: display, targetName: targetName, isIndexed: true,
            columnName: columnName)
    }
}
