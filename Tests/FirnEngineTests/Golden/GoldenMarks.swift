import FirnEngine
import FirnTesting
import FirnValues

@testable import FirnEngine

/// A database with known content in every version: version n has the marks 2 to n.
enum GoldenMarks {
    static let newest = LSN(20)
    /// The freezes, each made in the commit before the listed one.
    static let freezes: [(name: String, version: LSN, note: String)] = [
        ("first", LSN(4), "made early"), ("second", LSN(11), ""),
    ]

    static func addClass(to store: Store) throws {
        let transaction = try store.beginWrite()
        try transaction.addClass(
            ClassDefinition(
                name: "Mark",
                properties: [
                    .init(name: "number", type: PropertyType(.int)),
                    .init(name: "text", type: PropertyType(.string, isOptional: true)),
                ], keyName: "number"))
        _ = try transaction.commit()
    }

    static func row(_ number: Int) -> [Value] {
        [.int(Int64(number)), number % 3 == 0 ? .null : .string("mark \(number)")]
    }

    /// Makes the commit of version `number`.
    static func commit(_ number: Int, to store: Store) throws {
        let transaction = try store.beginWrite()
        guard let mark = transaction.schema.classNamed("Mark") else {
            throw TestFailure("no class Mark")
        }
        try transaction.create(in: mark.id, row(number))
        for freeze in freezes where Int(freeze.version.rawValue) + 1 == number {
            try transaction.freeze(name: freeze.name, note: freeze.note)
        }
        guard try transaction.commit() == LSN(UInt64(number)) else {
            throw TestFailure("commit \(number) has another number")
        }
    }

    /// The rows of a version.
    static func rows(of version: LSN) -> [[Value]] {
        version.rawValue < 2 ? [] : (2...Int(version.rawValue)).map(row)
    }
}
