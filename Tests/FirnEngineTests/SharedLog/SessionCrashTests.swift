import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for commits that go to the log, for checkpoints, and for the
/// start and the end of a log.
@Suite("Crashes at any operation while the file has a log")
struct SessionCrashTests {
    private static let path = "/session.firn"

    /// A step from one committed state to the next, or between commits.
    private enum Step: Sendable, Hashable {
        case insert(Range<Int>)
        /// An insertion, whose commit has a note.
        case note(Range<Int>, String)
        case update([Int])
        case delete([Int])
        /// By a transaction that writes pages.
        case load(Range<Int>)
        case checkpoint
        case close
        /// Another handle continues, as another process would.
        case handOver
        case freeze(String)
        case drop(String)

        func apply(to model: inout Model) {
            switch self {
            case .insert(let numbers), .load(let numbers), .note(let numbers, _):
                for number in numbers { model.create(Sample.values(number)) }
            case .update(let rows):
                for row in rows { model.rows[UInt64(row)]?[1] = .string("updated") }
            case .delete(let rows): for row in rows { model.rows[UInt64(row)] = nil }
            case .checkpoint, .close, .handOver, .freeze, .drop: break
            }
        }
    }

    /// A version, and the content of the named older ones.
    private struct Version: Equatable {
        var rows: [UInt64: [Value]]
        var frozen: [String: [UInt64: [Value]]] = [:]
        /// The notes of the commits, oldest first.
        var notes: [String] = []

        /// The state that the steps leave after the first version.
        init(_ steps: [Step]) {
            var model = Model()
            for number in 0..<3 { model.create(Sample.values(number)) }
            for step in steps {
                step.apply(to: &model)
                switch step {
                // A freeze is of the version before the commit that makes it.
                case .freeze(let name): frozen[name] = model.rows
                case .drop(let name): frozen[name] = nil
                case .note(_, let note): notes.append(note)
                default: break
                }
            }
            rows = model.rows
        }

        init(_ store: Store) throws {
            let snapshot = try store.snapshot()
            rows = try contents(of: snapshot)
            for frame in try store.frames(after: LSN(1), through: snapshot.version) {
                if let annotation = try frame.operations.annotation {
                    notes.append(annotation.note)
                }
            }
            for freeze in try snapshot.freezes() {
                frozen[freeze.name] = try contents(of: store.snapshot(at: .freeze(freeze.name)))
            }
        }
    }

    /// The handles of a workload: the last one writes.
    private final class Crew {
        private let disk: SimulatedFileSystem
        private let logging: StoreOptions.Logging
        private var stores: [Store] = []

        init(_ disk: SimulatedFileSystem, _ logging: StoreOptions.Logging) {
            self.disk = disk
            self.logging = logging
        }

        func perform(_ step: Step) throws {
            switch step {
            case .handOver: stores.append(try open())
            case .checkpoint: try store().checkpoint()
            case .close:
                try store().close()
                stores.removeLast()
            case .insert, .note, .update, .delete, .load, .freeze, .drop: try change(step)
            }
        }

        private func store() throws -> Store {
            if stores.isEmpty { stores.append(try open()) }
            return stores[stores.count - 1]
        }

        private func open() throws -> Store {
            try SessionCrashTests.open(disk, logging: logging)
        }

        private func change(_ step: Step) throws {
            let store = try store()
            let schema = try store.itemClass()
            let transaction = try store.beginWrite()
            switch step {
            case .insert(let numbers), .note(let numbers, _):
                for number in numbers {
                    try transaction.create(in: schema.id, Sample.values(number))
                }
                if case .note(_, let note) = step {
                    transaction.annotation = Annotation(note: note)
                }
            case .load(let numbers):
                let loader = try transaction.bulkLoader(for: schema.id)
                for number in numbers {
                    for (column, value) in zip(loader.columns, Sample.values(number)) {
                        try column.append(value)
                    }
                    try loader.endRow()
                }
                try loader.finish()
            case .update(let rows):
                let name = try #require(schema.propertyNamed("name")).id
                for row in rows {
                    try transaction.set(
                        name, of: RowID(UInt64(row)), in: schema.id, to: .string("updated"))
                }
            case .delete(let rows):
                for row in rows { try transaction.delete(RowID(UInt64(row)), in: schema.id) }
            case .freeze(let name): try transaction.freeze(name: name)
            case .drop(let name): try transaction.dropFreeze(name)
            case .checkpoint, .close, .handOver: break
            }
            _ = try transaction.commit()
        }
    }

    private static let histories: [[Step]] = [
        [.insert(3..<9), .update([2, 5]), .insert(9..<12), .delete([0]), .close],
        [.insert(3..<9), .checkpoint, .insert(9..<12), .update([4]), .checkpoint, .delete([7])],
        [
            .insert(3..<5), .checkpoint, .insert(5..<7), .checkpoint, .insert(7..<9), .checkpoint,
            .update([1, 8]), .close, .insert(9..<11), .insert(11..<12), .close,
        ],
        [.insert(3..<5), .load(5..<30), .insert(30..<33), .checkpoint, .load(33..<40), .close],
        [
            .insert(3..<5), .handOver, .insert(5..<6), .checkpoint, .close, .insert(6..<8), .close,
        ],
        [
            .insert(3..<5), .freeze("a"), .update([1]), .checkpoint, .freeze("b"), .delete([2]),
            .drop("a"), .checkpoint, .insert(5..<7), .freeze("c"), .close, .drop("b"),
        ],
        [
            .insert(3..<5), .note(5..<7, "first"), .note(7..<8, "second"), .checkpoint,
            .handOver, .note(8..<9, "third"), .load(9..<20), .close, .note(20..<21, "fourth"),
            .close, .note(21..<22, "fifth"), .close,
        ],
    ]

    @Test(
        "A crash leaves the last acknowledged state or the attempted one",
        arguments: histories.indices
    )
    func everyPoint(history: Int) throws {
        try explore("session \(history)", SessionCrashTests.histories[history], .always)
    }

    @Test("A crash while the second commit creates the log leaves one of the two states")
    func secondCommit() throws {
        try explore(
            "second commit", [.insert(3..<5), .insert(5..<7), .insert(7..<8), .close], .automatic)
    }

    private func explore(
        _ name: String, _ steps: [Step], _ logging: StoreOptions.Logging
    ) throws {
        try CrashExplorer(
            name, randomImages: TestScale.scaled(2), pointsMax: TestScale.scaled(60)
        ).explore(
            of: Step.self,
            setup: { disk in
                try makeSample(
                    SessionCrashTests.path, rowCount: 3, services: disk.services(entropySeed: 3))
            },
            workload: { disk, journal in
                let crew = Crew(disk, logging)
                for step in steps { try journal.perform(step) { try crew.perform(step) } }
            },
            recover: { disk in
                let store = try SessionCrashTests.open(disk, logging: .automatic)
                try store.beginWrite().rollback()
                try store.close()
            },
            verify: { disk, journal in try SessionCrashTests.verify(disk, journal) })
    }

    private static func open(
        _ disk: SimulatedFileSystem, logging: StoreOptions.Logging, readOnly: Bool = false
    ) throws -> Store {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        options.logStepByteCount = 20 * 1024
        return try Store.open(
            path, readOnly: readOnly, services: disk.services(entropySeed: 2), options: options)
    }

    private static func verify(_ disk: SimulatedFileSystem, _ journal: CrashJournal<Step>) throws {
        let allowed = [journal.acknowledged, journal.begun].map { Version($0) }
        // The state that a read-only reader finds.
        let seen = try Version(open(disk, logging: .automatic, readOnly: true))
        guard allowed.contains(seen) else {
            throw TestFailure("a reader sees neither the acknowledged nor the attempted state")
        }
        // The state that a recovering writer finds.
        let crew = Crew(disk, .automatic)
        try crew.perform(.insert(1000..<1002))
        try crew.perform(.close)
        guard disk.fileNames == [path] else {
            throw TestFailure("\(disk.fileNames) stay after the last one closed the database")
        }
        let store = try open(disk, logging: .automatic, readOnly: true)
        try expectSound(store, allowingTornCopy: true)
        let found = try Version(store)
        guard found.rows.count == seen.rows.count + 2, found.frozen == seen.frozen,
            found.notes == seen.notes,
            seen.rows.allSatisfy({ found.rows[$0.key] == $0.value })
        else {
            throw TestFailure("a further commit does not follow what was seen")
        }
    }
}
