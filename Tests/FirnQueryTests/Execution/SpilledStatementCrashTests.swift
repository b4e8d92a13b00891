import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// The machine stops while a statement uses temporary files: the database has all of its changes or
/// none.
@Suite("Crashes of statements that use temporary files")
struct SpilledStatementCrashTests {
    private static let path = "/t.firn"

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private enum Step: Int, CaseIterable, Sendable {
        case group, sort, join, distinct, median, window, first, update, delete

        /// A query, or a statement that changes objects.
        private var text: String {
            switch self {
            case .group: "Item | group(s, i; n = @count, x = @sum.x)"
            case .sort: "Item | SORT(s DESC, x)"
            case .join: "Item | join(j = ALL Item; i == j.i) | select(i, j.@count, j.s)"
            case .distinct: "Item | project(@distinct.s AS s, @distinct.x AS x)"
            case .median: "Item | group(i; m = @median.x)"
            case .window: "Item | select(s, r = @rank(x BY s), p = @previous(i BY s))"
            case .first: "Item | DISTINCT(i, s)"
            case .update: "Item i > 3 | set x = 7.5, s = 'new'"
            case .delete: "Item i < 0 | delete"
            }
        }

        func perform(on disk: SimulatedFileSystem) throws {
            var options = StoreOptions()
            options.statementByteCount = 0
            options.recordedByteCountMaximum = 0
            options.logging = .never
            let changes = self == .update || self == .delete
            let store = try Store.open(
                SpilledStatementCrashTests.path, readOnly: !changes,
                services: disk.services(entropySeed: 3), options: options)
            guard changes else {
                let snapshot = DatabaseSnapshot(
                    try store.snapshot(), now: Timestamp(seconds: 0))
                _ = try snapshot.rows(text)
                return
            }
            let transaction = try store.beginWrite()
            let mutation = try BoundMutation(
                text, entry: .statement,
                in: BindingContext(schema: transaction.schema, now: Timestamp(seconds: 0)))
            _ = try MutationRun(
                mutation: mutation, transaction: transaction, keepsRows: false
            ).run()
            _ = try transaction.commit()
            try store.close()
        }
    }

    private static func make(_ disk: SimulatedFileSystem) throws {
        var generator = SplitMix64(seed: 5)
        var options = StoreOptions()
        options.rowsPerGroup = 128
        let creation = try Store.create(path, services: disk.services(), options: options)
        let transaction = try creation.store.beginWrite()
        let item = try transaction.addClasses([
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(name: "s", type: PropertyType(.string)),
                    .init(name: "i", type: PropertyType(.int)),
                    .init(name: "x", type: PropertyType(.double)),
                ])
        ])[0]
        for number in 0..<400 {
            try transaction.create(
                in: item.id,
                [
                    .string("text \(Int.random(in: 0...9, using: &generator))"),
                    .int(Int64.random(in: -10...10, using: &generator)), .double(Double(number)),
                ])
        }
        _ = try transaction.commit()
        try creation.publish()
        try creation.store.close()
    }

    private static func contents(of disk: SimulatedFileSystem) throws -> [RowID: [Value]] {
        let store = try Store.open(path, readOnly: true, services: disk.services(entropySeed: 2))
        var verifier = Verifier(store, isDeep: true)
        // A power loss may tear one of the two superblocks.
        let findings = try verifier.run().findings.filter { $0.kind != .superblock }
        guard findings.isEmpty else { throw Failure("\(findings.map(\.message))") }
        let snapshot = try store.snapshot()
        guard let item = snapshot.schema.classNamed("Item"), let table = snapshot.table(item.id)
        else { throw Failure("the class is gone") }
        var contents: [RowID: [Value]] = [:]
        for row in try table.liveRowIDs() { contents[row] = try table.values(of: row) }
        return contents
    }

    @Test("A crash leaves the state before or after a statement")
    func everyPoint() throws {
        let disk = SimulatedFileSystem()
        try Self.make(disk)
        var states = [try Self.contents(of: disk)]
        for step in Step.allCases {
            try step.perform(on: disk)
            states.append(try Self.contents(of: disk))
        }
        #expect(states[0] == states[Step.update.rawValue], "queries change nothing")
        #expect(Set(states.suffix(3).map(\.count)).count == 2)
        try CrashExplorer(
            "statements with temporary files", randomImages: 1, pointsMax: TestScale.scaled(120)
        ).explore(
            of: Step.self, setup: Self.make,
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
                    throw Failure("neither the acknowledged nor the attempted state")
                }
                // A power loss may undo the removal of the name of a temporary file.
                let others = disk.fileNames.filter { $0 != Self.path && !$0.hasSuffix(".sort") }
                guard others.isEmpty else { throw Failure("\(others) were left behind") }
            })
    }
}
