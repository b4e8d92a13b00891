import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Assignments of unique values")
struct UniqueAssignmentTests {
    private static let count = 300
    private let database: Database

    init() throws {
        let creation = try Store.create("/u.firn", services: SimulatedFileSystem().services())
        let transaction = try creation.store.beginWrite()
        let row = try transaction.addClass(
            ClassDefinition(
                name: "Row",
                properties: [
                    .init(name: "rank", type: PropertyType(.int)),
                    .init(name: "name", type: PropertyType(.string)),
                ], indexes: [.init(["rank"], options: .unique)]))
        for number in 0..<Self.count {
            try transaction.create(in: row.id, [.int(Int64(number)), .string("n\(number)")])
        }
        _ = try transaction.commit()
        try creation.publish()
        database = Database(creation.store)
    }

    private func run(_ text: String) throws {
        let transaction = try database.beginWrite()
        _ = try database.run(text, in: transaction)
        _ = try transaction.commit()
    }

    private func count(_ text: String) throws -> Int {
        let snapshot = try database.snapshot()
        return try snapshot.rowIDs(snapshot.bound(text)).count
    }

    /// Each object took the value of the next one, which was refused in the middle.
    @Test(
        "Values can move between objects, whatever the order of visits",
        arguments: ["Row", "Row SORT(rank DESC)", "Row rank > 100"])
    func shift(query: String) throws {
        let moved = try count(query)
        try run(query + " | set rank = rank + 1")
        #expect(try count("Row rank == \(Self.count)") == 1)
        #expect(try count("Row rank == \(Self.count - moved)") == 0)
        for rank in [Self.count, Self.count - moved + 1] {
            #expect(try count("Row rank == \(rank) AND name == 'n\(rank - 1)'") == 1)
        }
        var verifier = Verifier(database.store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty)
    }

    @Test("A statement that gives two objects the same value is refused before the commit")
    func contradiction() throws {
        let transaction = try database.beginWrite()
        let error = #expect(throws: QueryFailure.self) {
            _ = try database.run("Row rank > 5 | set rank = rank / 2", in: transaction)
        }
        #expect("\(String(describing: error))".contains("Row.rank is unique, but rank 3 is"))
        transaction.rollback()
        // The next change is checked by itself.
        let next = try database.beginWrite()
        #expect(throws: StoreError.self) {
            let row = try #require(next.schema.classNamed("Row"))
            try next.create(in: row.id, [.int(5), .string("again")])
        }
    }

    @Test("obj names an object by a unique property, in conditions and in assignments")
    func namedObjects() throws {
        let transaction = try database.beginWrite()
        let schema = try #require(transaction.schema.classNamed("Row"))
        _ = try transaction.addProperty(
            .init(name: "next", type: PropertyType(.link, isOptional: true), targetName: "Row"),
            to: schema.id)
        _ = try transaction.commit()
        try run("Row rank < 3 | set next = obj('Row', 'rank', 7)")
        try run("Row rank == 3 | set next = obj('Row', 'rank', rank + 5)")
        #expect(try count("Row next == obj('Row', 'rank', 7)") == 3)
        #expect(try count("Row next.name == 'n8' AND rank == 3") == 1)
        #expect(try count("Row next IN {obj('Row', 'rank', 7), obj('Row', 'rank', 8)}") == 4)
        let snapshot = try database.snapshot()
        let bound = try snapshot.bound("Row next == obj('Row', 'rank', 7)")
        #expect("\(bound)".contains("next.rank == 7"))
    }

    @Test(
        "obj with missing arguments, or with a property that is not unique, is refused with a remedy",
        arguments: [
            ("obj('Row', 'name', 'n1')", "Row.name is neither the key nor unique", "alter FILE"),
            ("obj('Row', 1)", "class Row has no key", "obj(\"Row\", \"rank\", ...)"),
            ("obj('Row', 'rang', 1)", "no property \"rang\"", "did you mean \"rank\"?"),
            ("obj('Row', 'rank', nil)", "rank of an object is not null here", ""),
            ("obj('Row', 3, 4)", "the name of a property", "such as obj"),
            ("obj('Row')", "obj takes a class and a key, or a class, a unique property", "such as"),
        ])
    func refusedNames(expression: String, message: String, hint: String) throws {
        let snapshot = try database.snapshot()
        let failure = #expect(throws: QueryFailure.self) {
            _ = try snapshot.bound("Row @id == \(expression)")
        }
        var error: QueryError?
        if case .query(let wrong)? = failure { error = wrong }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(error?.hint?.contains(hint) ?? hint.isEmpty, "\(String(describing: error))")
    }

    /// A number of another type than the property stopped the program.
    @Test("obj accepts numbers of any type, and finds nothing for a number that cannot occur")
    func numbersOfOtherTypes() throws {
        let transaction = try database.beginWrite()
        let link = ClassDefinition.Property(
            name: "to", type: PropertyType(.link, isOptional: true), targetName: "Sum")
        let sum = try transaction.addClass(
            ClassDefinition(
                name: "Sum",
                properties: [
                    .init(name: "x", type: PropertyType(.double, isOptional: true)),
                    .init(name: "f", type: PropertyType(.float, isOptional: true)),
                    .init(name: "d", type: PropertyType(.decimal128, isOptional: true)),
                    .init(name: "i", type: PropertyType(.int, integerWidth: .bits8)),
                ],
                indexes: ["x", "f", "d", "i"].map { .init([$0], options: .unique) }))
        let row = try transaction.create(
            in: sum.id,
            [.double(2), .float(0.5), .decimal128(try #require(Decimal128("2"))), .int(3)])
        _ = try transaction.addProperty(link, to: sum.id)
        _ = try transaction.commit()
        for name in ["'x', 2", "'f', 0.5", "'d', 2", "'d', 2.0", "'i', 3.0"] {
            try run("Sum | set to = nil")
            try run("Sum | set to = obj('Sum', \(name))")
            #expect(try count("Sum to.@id == \(row.rawValue)") == 1, "\(name)")
        }
        for name in ["'x', 3", "'f', 1", "'i', 3.5", "'i', 300"] {
            #expect(throws: QueryFailure.self, "\(name)") {
                try run("Sum | set to = obj('Sum', \(name))")
            }
        }
    }

    @Test("Assigning an object that does not exist is an error with the property and the value")
    func missingObject() throws {
        let transaction = try database.beginWrite()
        let schema = try #require(transaction.schema.classNamed("Row"))
        _ = try transaction.addProperty(
            .init(name: "next", type: PropertyType(.link, isOptional: true), targetName: "Row"),
            to: schema.id)
        let error = #expect(throws: QueryFailure.self) {
            _ = try database.run("Row | set next = obj('Row', 'rank', 5000)", in: transaction)
        }
        transaction.rollback()
        #expect("\(String(describing: error))".contains("there is no Row with the rank 5000"))
    }
}
