import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnEngine

/// Makes the databases under `Tests/Fixtures/golden`, with the build that is to be remembered.
///
/// Off unless the environment variable `FIRN_GOLDEN` names an empty folder for them. A writer of those
/// with a log ends by SIGKILL, so that the files are as a crash leaves them; the shared memory beside
/// them says nothing after a start of the machine, and is not kept.
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

    @Test("Every type of property")
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
            ClassDefinition(name: "Everything", properties: columns.map(\.definition)))
        for row in GoldenContent.personRows { try transaction.create(in: person.id, row) }
        for row in GoldenContent.partRows { try transaction.create(in: part.id, row) }
        for index in 0..<3 { try transaction.create(in: all.id, columns.map { $0.values[index] }) }
        _ = try transaction.commit()
        transaction = try store.beginWrite()
        let many = try transaction.addClass(
            ClassDefinition(
                name: "Many",
                properties: [
                    .init(name: "key", type: PropertyType(.string)),
                    .init(name: "numbers", type: PropertyType(.int, container: .list)),
                ], keyName: "key"))
        for number in 0..<GoldenContent.manyCount {
            try transaction.create(in: many.id, GoldenContent.manyRow(number))
        }
        for number in GoldenContent.manyDeleted {
            try transaction.delete(RowID(UInt64(number)), in: many.id)
        }
        _ = try transaction.commit()
        try store.close()
    }

    @Test("A database in which nothing was committed yet")
    func empty() throws { try Self.create("empty", .never).close() }

    @Test("A database with the commit that it was made with")
    func oneRoot() throws {
        let creation = try Store.create(Self.path("one-root"), options: Self.options(.never))
        try GoldenMarks.addClass(to: creation.store)
        try creation.publish()
        try creation.store.close()
    }

    @Test("Older versions and freezes")
    func history() throws {
        let store = try Self.create("history", .never)
        try GoldenMarks.addClass(to: store)
        for number in 2...20 { try GoldenMarks.commit(number, to: store) }
        try store.close()
    }

    @Test("One segment of a log after a kill")
    func logOne() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try Self.create("log-one", .always)
            try GoldenMarks.addClass(to: store)
            for number in 2...20 { try GoldenMarks.commit(number, to: store) }
            kill(getpid(), SIGKILL)
        }
    }

    @Test("Two segments of a log, of which no root has anything, after a kill")
    func logTwo() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try Self.create("log-two", .always)
            try GoldenMarks.addClass(to: store)
            for number in 2...9 { try GoldenMarks.commit(number, to: store) }
            // What a checkpoint begins with, which dies before its root.
            let session = try #require(store.state.withLock { $0.session })
            try session.changeSegmentIfFree(try #require(try session.newestHead()))
            for number in 10...20 { try GoldenMarks.commit(number, to: store) }
            kill(getpid(), SIGKILL)
        }
    }

    @Test("Two segments of a log, of which a root has the first, after a kill")
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
