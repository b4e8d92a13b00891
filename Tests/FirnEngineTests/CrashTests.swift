import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

/// The guarantee: after a crash at any operation the database has the state of the last
/// acknowledged commit or of the attempted one, the verifier finds nothing, and a further commit
/// works.
@Suite("Crashes at any operation")
struct CrashTests {
    private static let path = "/crash.firn"

    /// A step from one committed state to the next.
    private enum Step: Sendable, Hashable {
        case make(rows: Int)
        case insert(Range<Int>)
        case update([Int])
        case delete([Int])

        func apply(to model: inout Model) {
            switch self {
            case .make(let rows): for number in 0..<rows { model.create(Sample.values(number)) }
            case .insert(let numbers): for number in numbers { model.create(Sample.values(number)) }
            case .update(let rows):
                for row in rows { model.rows[UInt64(row)]?[1] = .string("updated") }
            case .delete(let rows): for row in rows { model.rows[UInt64(row)] = nil }
            }
        }

        func perform(on disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 1)
            if case .make(let rows) = self {
                return try makeSample(CrashTests.path, rowCount: rows, services: services)
            }
            let store = try Store.open(CrashTests.path, readOnly: false, services: services)
            let schema = try store.itemClass()
            let transaction = try store.beginWrite()
            switch self {
            case .make: break
            case .insert(let numbers):
                for number in numbers {
                    try transaction.create(in: schema.id, Sample.values(number))
                }
            case .update(let rows):
                let name = try #require(schema.propertyNamed("name")).id
                for row in rows {
                    try transaction.set(
                        name, of: RowID(UInt64(row)), in: schema.id, to: .string("updated"))
                }
            case .delete(let rows):
                for row in rows { try transaction.delete(RowID(UInt64(row)), in: schema.id) }
            }
            _ = try transaction.commit()
        }
    }

    private static let histories: [[Step]] = [
        [.make(rows: 20)],
        [.make(rows: 3), .insert(3..<9), .insert(9..<10), .insert(10..<40)],
        [
            .make(rows: 40), .delete([0, 1, 2, 3, 4, 5, 6]), .delete(Array(8..<30)),
            .insert(40..<44),
        ],
        [.make(rows: 33), .update([0, 17, 32]), .update([1]), .delete([32]), .update([2, 3])],
    ]

    @Test(
        "A crash leaves the last acknowledged state or the attempted one",
        arguments: histories.indices
    )
    func everyPoint(history: Int) throws {
        let steps = CrashTests.histories[history]
        try CrashExplorer("history \(history)").explore(
            of: Step.self, setup: { _ in },
            workload: { disk, journal in
                for step in steps {
                    try journal.perform(step) { try step.perform(on: disk) }
                }
            },
            recover: { disk in _ = try CrashTests.state(of: disk) },
            verify: { disk, journal in try CrashTests.verify(disk, journal) })
    }

    private static func verify(_ disk: SimulatedFileSystem, _ journal: CrashJournal<Step>) throws {
        let found = try state(of: disk)
        let allowed = [journal.acknowledged, journal.begun].map { steps -> [UInt64: [Value]]? in
            guard !steps.isEmpty else { return nil }
            var model = Model()
            for step in steps { step.apply(to: &model) }
            return model.rows
        }
        guard allowed.contains(found) else {
            throw TestFailure("neither the acknowledged nor the attempted state")
        }
        guard found != nil else {
            // Nothing was created yet: creating must work.
            return try makeSample(path, rowCount: 2, services: disk.services(entropySeed: 9))
        }
        let before = found?.count ?? 0
        try Step.insert(1000..<1003).perform(on: disk)
        guard try state(of: disk)?.count == before + 3 else {
            throw TestFailure("a further commit does not work")
        }
    }

    /// The verified content; nil if there is no database.
    private static func state(of disk: SimulatedFileSystem) throws -> [UInt64: [Value]]? {
        guard try disk.status(of: path) != nil else { return nil }
        let store = try Store.open(path, readOnly: true, services: disk.services(entropySeed: 2))
        try expectSound(store, allowingTornCopy: true)
        return try store.contents()
    }
}
