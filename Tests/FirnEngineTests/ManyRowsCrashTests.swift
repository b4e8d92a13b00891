import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for changes of many objects in one call.
@Suite("Crashes and failing disks during changes of many objects")
struct ManyRowsCrashTests {
    private static let path = "/many.firn"

    /// The commits of one history, each by another process.
    private enum Step: Int, CaseIterable, Sendable {
        case make, set, setLogged, delete, deleteLinked, setRest

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
                ManyRowsCrashTests.path, readOnly: false, services: services, options: options)
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
            path, services: services, options: Sample.options(rowsPerGroup: 64))
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

    private typealias Contents = [String: [RowID: [Value]]]

    private static func contents(of disk: SimulatedFileSystem) throws -> Contents? {
        guard try disk.status(of: path) != nil else { return nil }
        let store = try Store.open(path, readOnly: true, services: disk.services(entropySeed: 2))
        try expectSound(store, allowingTornCopy: true)
        let snapshot = try store.snapshot()
        var contents: Contents = [:]
        for type in snapshot.schema.classes {
            guard let table = snapshot.table(type.id) else { continue }
            contents[type.name] = [:]
            for row in try table.liveRowIDs() {
                contents[type.name]?[row] = try table.values(of: row)
            }
        }
        return contents
    }

    private static func states() throws -> [(contents: Contents?, disk: SimulatedFileSystem)] {
        let disk = SimulatedFileSystem()
        var states = [(try contents(of: disk), disk.powerLossImage(.everythingSurvives))]
        for step in Step.allCases {
            try step.perform(on: disk)
            states.append((try contents(of: disk), disk.powerLossImage(.everythingSurvives)))
        }
        return states
    }

    @Test("A crash leaves the last acknowledged state or the attempted one")
    func everyPoint() throws {
        let states = try Self.states().map(\.contents)
        #expect(states.last??["Item"]?.count == 50)
        try CrashExplorer(
            "many rows", randomImages: 2, pointsMax: TestScale.scaled(80)
        ).explore(
            of: Step.self, setup: { _ in },
            workload: { disk, journal in
                for step in Step.allCases {
                    try journal.perform(step) { try step.perform(on: disk) }
                }
            },
            recover: { disk in _ = try Self.contents(of: disk) },
            verify: { disk, journal in
                let found = try Self.contents(of: disk)
                let allowed = [states[journal.acknowledged.count], states[journal.begun.count]]
                guard allowed.contains(found) else {
                    throw TestFailure("neither the acknowledged nor the attempted state")
                }
            })
    }

    @Test(
        "A commit fails as a whole, whichever write or sync fails, and later ones work",
        arguments: Step.allCases.dropFirst().map(\.rawValue))
    func everyFault(number: Int) throws {
        let step = try #require(Step(rawValue: number))
        let states = try Self.states()
        for ordinal in 0..<400 {
            let disk = states[number].disk.powerLossImage(.everythingSurvives)
            disk.plan(
                Fault(.fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.write, .sync]))
            let isDone = (try? step.perform(on: disk)) != nil
            disk.forgetPlans()
            let found = try Self.contents(of: disk)
            #expect(found == states[number].contents || found == states[number + 1].contents)
            guard !isDone else {
                #expect(found == states[number + 1].contents)
                return
            }
            if found == states[number].contents { try step.perform(on: disk) }
            #expect(try Self.contents(of: disk) == states[number + 1].contents)
        }
        Issue.record("the commit never succeeded")
    }
}
