import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for everything that is derived from rows: key index, link
/// indexes, large collections, and changes of classes.
@Suite("Crashes and failing disks during changes of objects")
struct ObjectCrashTests {
    private static let path = "/objects.firn"

    /// The commits of one history, each by another process.
    private enum Step: Int, CaseIterable, Sendable {
        case make, insert, edit, evolve, delete, removeClass

        func perform(on disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 1)
            if self == .make { return try ObjectCrashTests.make(services) }
            var options = StoreOptions()
            // Even small amounts of space are taken from the root before the current one.
            options.waitingByteCountMinimum = 0
            let store = try Store.open(
                ObjectCrashTests.path, readOnly: false, services: services, options: options)
            let transaction = try store.beginWrite()
            try change(transaction)
            _ = try transaction.commit()
        }

        private func change(_ transaction: WriteTransaction) throws {
            let schema = transaction.schema
            guard let node = schema.classNamed("Node"), let part = schema.classNamed("Part") else {
                throw TestFailure("a class is missing")
            }
            switch self {
            case .make: break
            case .insert:
                for number in 0..<20 {
                    let child = try transaction.create(in: part.id, [.int(Int64(number))])
                    try transaction.create(
                        in: node.id,
                        ObjectCrashTests.node(
                            node, key: Int64(number * 7 % 20) - 50, to: number % 10,
                            size: number == 3 ? 1500 : 3,
                            part: .link(ObjectReference(classID: part.id, rowID: child))))
                }
            case .edit:
                for number in 0..<30 {
                    try transaction.edit(
                        node.properties[2].id, of: RowID(15), in: node.id,
                        .insert(number * 31, .int(-7)))
                }
                try transaction.delete([RowID(1), RowID(4)], in: node.id)
            case .evolve:
                let text = ClassDefinition.Property(
                    name: "id", type: PropertyType(.string), display: nil)
                try transaction.retypeProperty(node.properties[0].id, of: node.id, to: text) {
                    .string("\($0)")
                }
                try transaction.addProperty(
                    .init(name: "new", type: PropertyType(.int)), to: node.id,
                    defaultValue: .int(5))
                try transaction.renameProperty(node.properties[1].id, of: node.id, to: "links")
            case .delete:
                try transaction.delete((6..<28).map { RowID($0) }, in: node.id)
            case .removeClass:
                try transaction.removeProperty(node.properties[3].id, of: node.id)
                try transaction.removeClass(part.id)
            }
        }
    }

    private static func node(
        _ schema: ClassSchema, key: Int64, to target: Int?, size: Int, part: Value
    ) -> [Value] {
        let link = target.map {
            Value.link(ObjectReference(classID: schema.id, rowID: RowID(UInt64($0))))
        }
        return [
            .int(key), .list(link.map { [$0, $0] } ?? []),
            .list((0..<size).map { .int(Int64($0)) }), part,
        ]
    }

    private static func make(_ services: SystemServices) throws {
        let creation = try Store.create(
            path, services: services, options: Sample.options(rowsPerGroup: 8))
        let transaction = try creation.store.beginWrite()
        let node = try transaction.addClasses([
            ClassDefinition(
                name: "Node",
                properties: [
                    .init(name: "id", type: PropertyType(.int)),
                    .init(
                        name: "list", type: PropertyType(.link, container: .list),
                        targetName: "Node"),
                    .init(name: "numbers", type: PropertyType(.int, container: .list)),
                    .init(name: "part", type: PropertyType(.link), targetName: "Part"),
                ], keyName: "id"),
            ClassDefinition(
                name: "Part", properties: [.init(name: "x", type: PropertyType(.int))],
                isEmbedded: true),
        ])[0]
        for number in 0..<12 {
            try transaction.create(
                in: node.id,
                ObjectCrashTests.node(
                    node, key: Int64(number), to: number > 0 ? number / 2 : nil, size: 2,
                    part: .null))
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    /// The content of the database, by class name and row id.
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
            for number in UInt64(0)..<40 {
                let row = RowID(number)
                contents[type.name]?[row] = try table.values(of: row)
            }
        }
        return contents
    }

    /// The state after each step without any failure, and the disks.
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
        let states = try ObjectCrashTests.states().map(\.contents)
        try CrashExplorer(
            "objects", randomImages: 2, pointsMax: TestScale.scaled(80)
        ).explore(
            of: Step.self, setup: { _ in },
            workload: { disk, journal in
                for step in Step.allCases {
                    try journal.perform(step) { try step.perform(on: disk) }
                }
            },
            recover: { disk in _ = try ObjectCrashTests.contents(of: disk) },
            verify: { disk, journal in
                let found = try ObjectCrashTests.contents(of: disk)
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
        let states = try ObjectCrashTests.states()
        for ordinal in 0..<400 {
            let disk = states[number].disk.powerLossImage(.everythingSurvives)
            disk.plan(
                Fault(.fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.write, .sync]))
            let isDone = (try? step.perform(on: disk)) != nil
            disk.forgetPlans()
            let found = try ObjectCrashTests.contents(of: disk)
            #expect(found == states[number].contents || found == states[number + 1].contents)
            guard !isDone else {
                #expect(found == states[number + 1].contents)
                return
            }
            if found == states[number].contents { try step.perform(on: disk) }
            #expect(try ObjectCrashTests.contents(of: disk) == states[number + 1].contents)
        }
        Issue.record("the commit never succeeded")
    }
}
