import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The guarantee of ``CrashTests`` for transactions with the steps of a migration.
@Suite("Crashes and failing disks during migrations")
struct MigrationCrashTests {
    /// The commits of one history, each by another process.
    private enum Step: Int, CommitStep {
        case make, index, change, retype, embed, release, drop, remove

        static let path = "/migrated.firn"

        func perform(on disk: SimulatedFileSystem) throws {
            let services = disk.services(entropySeed: 1)
            if self == .make { return try MigrationCrashTests.make(services) }
            var options = StoreOptions()
            options.waitingByteCountMinimum = 0
            options.checkpointsInBackground = false
            let store = try Store.open(
                Step.path, readOnly: false, services: services, options: options)
            let transaction = try store.beginWrite()
            transaction.rebuildsLinkIndexes = true
            try change(transaction)
            try transaction.setModelVersion(UInt64(rawValue))
            _ = try transaction.commit()
            try store.close()
        }

        private func change(_ transaction: WriteTransaction) throws {
            let person = try #require(transaction.schema.classNamed("Person"))
            let home = try #require(transaction.schema.classNamed("Home"))
            switch self {
            case .make: break
            case .index:
                try transaction.addIndex(.init(["age"]), to: person.id)
                try transaction.addIndex(.init(["id", "age"], options: .unique), to: person.id)
                try transaction.addIndex(.init(["city"], options: .caseInsensitive), to: home.id)
            case .change: try changeIndexed(person, home, transaction)
            case .drop:
                for index in home.indexes { try transaction.removeIndex(index, of: home.id) }
            case .retype: try retype(person, transaction)
            case .embed: try transaction.embedObjects(of: home.id)
            case .release: try transaction.releaseObjects(of: home.id)
            case .remove:
                for property in person.properties where property.type.base == .link {
                    try transaction.removeProperty(property.id, of: person.id)
                }
                try transaction.removeClass(home.id)
            }
        }

        /// Changes many of the indexed values, and deletes and creates objects.
        private func changeIndexed(
            _ person: ClassSchema, _ home: ClassSchema, _ transaction: WriteTransaction
        ) throws {
            let age = try #require(person.propertyNamed("age"))
            for number in 0..<60 {
                try transaction.set(
                    age.id, of: RowID(UInt64(number * 2)), in: person.id,
                    to: .int(Int64(1000 - number)))
            }
            for number in 130..<140 { try transaction.delete(RowID(UInt64(number)), in: person.id) }
            for number in 0..<20 { try transaction.create(in: home.id, [.string("NEW \(number)")]) }
        }

        /// Gives the class another key, and two properties another type.
        private func retype(_ person: ClassSchema, _ transaction: WriteTransaction) throws {
            let age = try #require(person.propertyNamed("age"))
            try transaction.setKey(nil, of: person.id)
            try transaction.replaceProperty(
                age.id, of: person.id,
                by: .init(name: "age", type: PropertyType(.string)), defaultValue: .string("?"))
            let new = try #require(transaction.schema.classNamed("Person")?.propertyNamed("age"))
            let rows = try transaction.snapshot().table(person.id)?.liveRowIDs() ?? []
            try transaction.set(
                new.id, of: rows, in: person.id, to: rows.map { .string("age \($0.rawValue)") })
            let id = try #require(person.propertyNamed("id"))
            try transaction.retypeProperty(
                id.id, of: person.id,
                to: .init(name: "number", type: PropertyType(.int, isOptional: true))
            ) { $0 }
            try transaction.setKey(new.id, of: person.id)
        }
    }

    private static func make(_ services: SystemServices) throws {
        let creation = try Store.create(
            Step.path, services: services, options: Sample.options(rowsPerGroup: 64))
        let transaction = try creation.store.beginWrite()
        let types = try transaction.addClasses([
            ClassDefinition(
                name: "Home", properties: [.init(name: "city", type: PropertyType(.string))]),
            ClassDefinition(
                name: "Person",
                properties: [
                    .init(name: "id", type: PropertyType(.int)),
                    .init(name: "age", type: PropertyType(.int)),
                    .init(
                        name: "home", type: PropertyType(.link, isOptional: true),
                        targetName: "Home"),
                    .init(
                        name: "others", type: PropertyType(.link, container: .list),
                        targetName: "Home"),
                ], keyName: "id"),
        ])
        func link(_ number: Int) -> Value {
            .link(ObjectReference(classID: types[0].id, rowID: RowID(UInt64(number))))
        }
        for number in 0..<90 {
            try transaction.create(in: types[0].id, [.string("city \(number)")])
        }
        // Some homes have no person, some several, and one twice the same.
        for number in 0..<150 {
            try transaction.create(
                in: types[1].id,
                [
                    .int(Int64(number * 7 % 150)), .int(Int64(number)),
                    number % 3 == 0 ? .null : link(number % 60),
                    .list(number % 10 == 0 ? [link(3), link(number % 80), link(3)] : []),
                ])
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    @Test("A crash leaves the file as it was before the migration or after it")
    func everyPoint() throws {
        let history = try CommitHistory<Step>()
        #expect(history.contents[2]?.schema.classNamed("Person")?.indexes.count == 2)
        // Some homes had no person, and each link now leads to a home of its own.
        #expect((history.contents[5]?.rows["Home"]?.count ?? 0) > 100)
        #expect(history.contents[7]?.schema.classNamed("Home")?.indexes.isEmpty == true)
        #expect(history.contents.last??.rows["Home"] == nil)
        try history.exploreCrashes("migrations")
    }

    @Test(
        "A migration fails as a whole, whichever write or sync fails, and works again later",
        arguments: Step.allCases.dropFirst().map(\.rawValue))
    func everyFault(number: Int) throws {
        try CommitHistory<Step>().failEveryOperation(of: number)
    }
}
