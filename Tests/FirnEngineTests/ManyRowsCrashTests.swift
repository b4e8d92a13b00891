import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for changes of many objects in one call.
@Suite("Crashes and failing disks during changes of many objects")
struct ManyRowsCrashTests {
    /// The commits of one history, each by another process.
    private enum Step: Int, CommitStep {
        case make, set, setLogged, delete, deleteLinked, setRest

        static let path = "/many.firn"

        func perform(on disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 1)
            if self == .make { return try ManyRowsCrashTests.make(services) }
            var options = StoreOptions()
            options.waitingByteCountMinimum = 0
            options.checkpointsInBackground = false
            switch self {
            case .setLogged, .setRest: options.logging = .always
            default:
                options.logging = .never
                options.recordedByteCountMaximum = 0
                // New columns are written at once.
                options.statementByteCount = 0
            }
            let store = try Store.open(
                Step.path, readOnly: false, services: services, options: options)
            let transaction = try store.beginWrite()
            transaction.rebuildsLinkIndexes = true
            try change(transaction)
            _ = try transaction.commit()
            try store.close()
        }

        private func change(_ transaction: WriteTransaction) throws {
            guard let item = transaction.schema.classNamed("Item"),
                let note = transaction.schema.classNamed("Note")
            else { throw TestFailure("a class is missing") }
            let (number, text) = (item.properties[1].id, item.properties[2].id)
            switch self {
            case .make: break
            case .set:
                let rows = (10..<190).map { RowID($0) }
                try transaction.set(
                    number, of: rows, in: item.id, to: rows.map { .int(Int64($0.rawValue * 3)) })
            case .setLogged:
                let rows = (0..<100).map { RowID($0 * 2) }
                try transaction.set(
                    text, of: rows, in: item.id, to: rows.map { .string("set \($0.rawValue)") })
            case .delete:
                try transaction.delete((0..<70).map { RowID($0) }, in: note.id)
            case .deleteLinked:
                try transaction.delete((20..<170).map { RowID($0) }, in: item.id)
            case .setRest:
                let rows = try transaction.snapshot().table(item.id)?.liveRowIDs() ?? []
                try transaction.set(
                    number, of: rows, in: item.id, to: rows.map { _ in .int(-1) })
                try transaction.delete(
                    try transaction.snapshot().table(note.id)?.liveRowIDs() ?? [], in: note.id)
            }
        }
    }

    private static func make(_ services: SystemServices) throws {
        let creation = try Store.create(
            Step.path, services: services, options: Sample.options(rowsPerGroup: 64))
        let transaction = try creation.store.beginWrite()
        let types = try transaction.addClasses([
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(name: "id", type: PropertyType(.int)),
                    .init(name: "number", type: PropertyType(.int)),
                    .init(name: "text", type: PropertyType(.string, isOptional: true)),
                ], keyName: "id"),
            ClassDefinition(
                name: "Note",
                properties: [
                    .init(
                        name: "item", type: PropertyType(.link, isOptional: true),
                        targetName: "Item")
                ]),
        ])
        for number in 0..<200 {
            try transaction.create(
                in: types[0].id,
                [.int(Int64(number * 7 % 200)), .int(Int64(number)), .string("text")])
        }
        for number in 0..<150 {
            try transaction.create(
                in: types[1].id,
                [
                    .link(
                        ObjectReference(classID: types[0].id, rowID: RowID(UInt64(number % 90))))
                ])
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    @Test("A crash leaves the last acknowledged state or the attempted one")
    func everyPoint() throws {
        let history = try CommitHistory<Step>()
        #expect(history.contents.last??.rows["Item"]?.count == 50)
        try history.exploreCrashes("many rows")
    }

    @Test(
        "A commit fails as a whole, whichever write or sync fails, and later ones work",
        arguments: Step.allCases.dropFirst().map(\.rawValue))
    func everyFault(number: Int) throws {
        try CommitHistory<Step>().failEveryOperation(of: number)
    }
}
