import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for everything that is derived from rows: key index, link
/// indexes, large collections, and changes of classes.
@Suite("Crashes and failing disks during changes of objects")
struct ObjectCrashTests {
    /// The commits of one history, each by another process.
    private enum Step: Int, CommitStep {
        case make, insert, edit, evolve, delete, removeClass

        static let path = "/objects.firn"

        func perform(on disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 1)
            if self == .make { return try ObjectCrashTests.make(services) }
            var options = StoreOptions()
            // Even small amounts of space are taken from the root before the current one.
            options.waitingByteCountMinimum = 0
            let store = try Store.open(
                Step.path, readOnly: false, services: services, options: options)
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
            Step.path, services: services, options: Sample.options(rowsPerGroup: 8))
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

    @Test("A crash leaves the last acknowledged state or the attempted one")
    func everyPoint() throws {
        let history = try CommitHistory<Step>()
        try history.exploreCrashes("objects")
    }

    @Test(
        "A commit fails as a whole, whichever write or sync fails, and later ones work",
        arguments: Step.allCases.dropFirst().map(\.rawValue))
    func everyFault(number: Int) throws {
        try CommitHistory<Step>().failEveryOperation(of: number)
    }
}
