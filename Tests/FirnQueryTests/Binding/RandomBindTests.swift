import FirnEngine
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues
import Testing

/// Writes random valid texts, with every path and comparison of the rich schema.
struct TextGenerator {
    var random: SplitMix64
    /// The prefix of every path: the variable of the current subquery.
    var prefix = ""
    var depth = 0

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick(_ elements: [String]) -> String { elements[number(0..<elements.count)] }

    /// Whether paths start from people, inside a subquery, rather than from flights.
    private var isPerson: Bool { !prefix.isEmpty }

    mutating func numeric(_ level: Int = 2) -> String {
        let paths =
            isPerson
            ? [
                "id", "age", "friend.age", "dogs.@count", "dogs[0].age", "dogs.@max.age", "@id",
                "planes.@count", "dogs.toys.@sum.price", "@links.@count",
            ]
            : [
                "number", "plane.seats", "delay", "ratio", "price", "small", "tags.@count",
                "scores.@avg", "crew.@max.age", "codes.@sum", "alternates[LAST].seats",
                "roles['p'].age", "scores[1]", "@links.Flight.other.@count", "name.@count",
                "plane.flights.@min.delay", "@id", "blob.@size", "labels.@keys.@count",
            ]
        switch level == 0 ? 9 : number(0..<12) {
        case 0: return "(\(numeric(level - 1)) \(pick(["+", "-", "*", "/"])) \(numeric(level - 1)))"
        case 1: return "\(numeric(level - 1)) * 2"
        case 2: return "coalesce(\(numeric(level - 1)), 0)"
        case 3: return "length(\(text()))"
        case 4 where depth < 3: return subquery()
        case 5 where !isPerson: return "\(pick(["year", "hour"]))(when - 1h)"
        default: return prefix + pick(paths)
        }
    }

    private mutating func subquery() -> String {
        let collection =
            isPerson
            ? pick(["friend.dogs.owner", "dogs.owner"])
            : pick([
                "crew", "roles", "alternates.owner",
            ])
        var inner = self
        inner.prefix = "$v\(depth)."
        inner.depth = depth + 1
        let condition = inner.predicate(1)
        random = inner.random
        return "SUBQUERY(\(prefix)\(collection), $v\(depth), \(condition)).@count"
    }

    mutating func text() -> String {
        let paths =
            isPerson
            ? ["name", "friend.name", "dogs[FIRST].name"]
            : ["name", "city", "plane.tailnum", "plane.owner.name", "tags[0]", "labels['a']"]
        return number(0..<4) == 0
            ? "\(pick(["lower", "trim"]))(\(prefix)name)" : prefix + pick(paths)
    }

    mutating func many() -> String {
        prefix
            + pick(
                isPerson
                    ? ["dogs.age", "friend.dogs.age", "planes.seats", "dogs.toys.price"]
                    : [
                        "scores", "codes", "alternates.seats", "crew.dogs.age",
                        "plane.flights.delay",
                        "tags.length", "prices", "roles.age", "anys[*]", "mixed[*]",
                    ])
    }

    mutating func predicate(_ level: Int) -> String {
        let order = pick(["==", "!=", "<", "<=", ">", ">="])
        switch level == 0 ? number(3..<14) : number(0..<14) {
        case 0: return "(\(predicate(level - 1)) AND \(predicate(level - 1)))"
        case 1: return "(\(predicate(level - 1)) OR \(predicate(level - 1)))"
        case 2: return "NOT (\(predicate(level - 1)))"
        case 3: return "\(numeric()) \(order) \(number(-9..<9))"
        case 4: return "\(number(-9..<9)).5 \(order) \(numeric())"
        case 5: return "\(numeric()) \(order) \(numeric())"
        case 6: return "\(pick(["", "ANY ", "ALL ", "NONE "]))\(many()) \(order) \(number(0..<9))"
        case 7: return "\(pick(["ANY", "ALL", "NONE"])) \(many()) \(order) \(numeric())"
        case 8:
            return "\(text()) \(pick(["==[c]", "CONTAINS", "LIKE[cd]", "<"])) ".replacing(
                "LIKE[cd]", with: "BEGINSWITH[cd]")
                + pick(["'a'", "nil", "''"]).replacing(
                    "''", with: "'b'")
        case 9: return "\(text()) \(pick(["CONTAINS[c]", "LIKE", "==", "!=[c]"])) \(text())"
        case 10: return "\(numeric()) \(pick(["IN", "NOT IN"])) {1, nil, 2.5}"
        case 11: return "\(pick(["", "ALL ", "NONE "]))\(many()) BETWEEN {1, 5}"
        case 12: return "\(pick(["ANY", "ALL", "NONE"])) {1, 2} \(order) \(numeric())"
        default:
            return prefix
                + pick(
                    isPerson
                        ? [
                            "friend == nil", "friend == obj('Person', 1)",
                            "nicknames == {'b', 'a'}",
                        ]
                        : [
                            "plane == nil", "plane.owner != obj('Person', 1)", "tags == {'a'}",
                            "mixed == 'x'", "mixed.@type != 'numeric'", "plane IN alternates",
                        ])
        }
    }

    mutating func stages() -> String {
        let filter = "where " + predicate(3)
        switch number(0..<5) {
        case 0: return filter + " | SORT(\(numeric()) DESC, \(text()))"
        case 1: return filter + " | project(a = \(numeric()), crew.name, b = \(text())) | SORT(a)"
        case 2:
            return "group(\(text()), k = 1; @count)".replacing(", k = 1", with: "")
                + " | SORT(`@count` DESC) LIMIT(3)"
        case 3: return filter + " | DISTINCT(\(text())) | project(@count, @max.\("number"))"
        default: return filter
        }
    }
}

@Suite("Binding of random texts")
struct RandomBindTests {
    @Test("The printed text binds to the same tree", arguments: 1...12 as ClosedRange<UInt64>)
    func stable(seed: UInt64) throws {
        var generator = TextGenerator(random: SplitMix64(seed: seed))
        for _ in 0..<200 {
            let text = generator.stages()
            do {
                let query = try bindRich(text)
                let again = try bindRich(query.description)
                #expect(again.stages == query.stages, "seed \(seed): \(text) -> \(query)")
                #expect(again.description == query.description, "seed \(seed): \(text)")
                #expect(again.stages.hashValue == query.stages.hashValue, "seed \(seed): \(text)")
            } catch {
                Issue.record("seed \(seed): \(error.message) at \(error.range) in \(text)")
            }
        }
    }
}
