import FirnEngine
import FirnValues

/// The objects that transactions create and change: seven properties, with a key.
enum People {
    static let definition = ClassDefinition(
        name: "Person",
        properties: [
            .init(name: "id", type: PropertyType(.int)),
            .init(name: "name", type: PropertyType(.string)),
            .init(name: "age", type: PropertyType(.int)),
            .init(name: "score", type: PropertyType(.double)),
            .init(name: "flag", type: PropertyType(.bool)),
            .init(name: "when", type: PropertyType(.date, isOptional: true)),
            .init(name: "city", type: PropertyType(.string, isOptional: true)),
        ], keyName: "id")

    /// The index of the age among the properties.
    static let ageIndex = 2

    private static let names = (0..<1024).map { Value.string("name number \($0)") }
    private static let cities = (0..<16).map { Value.string("city \($0)") }

    /// The person with a number as its key.
    static func values(_ number: Int) -> [Value] {
        [
            .int(Int64(number)), names[number & 1023], .int(Int64(number % 90)),
            .double(Double(number) / 4), .bool(number % 3 == 0),
            .date(Timestamp(seconds: Int64(number) * 3600)), cities[number & 15],
        ]
    }

    /// A permutation of the numbers below a count that separates neighbours.
    static func scattered(_ number: Int, below count: Int) -> Int { number * 7919 % count }
}
