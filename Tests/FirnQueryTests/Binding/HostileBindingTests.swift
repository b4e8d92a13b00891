import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs the work on a thread with a stack of 512 KiB, the size of secondary threads on Darwin.
private func onSmallStack(_ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let result = pthread_create(
        &thread, &attributes,
        { pointer in
            #if canImport(Darwin)
            Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().work()
            #else
            if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().work() }
            #endif
            return nil
        }, box)
    precondition(result == 0)
    #if canImport(Darwin)
    if let thread { pthread_join(thread, nil) }
    #else
    pthread_join(thread, nil)
    #endif
}

@Suite("Binding of hostile texts")
struct HostileBindingTests {
    @Test(
        "The deepest allowed tree is bound, printed and compared on a small stack",
        .tags(.security),
        arguments: [
            ("(", ")"), ("NOT ", ""), ("(age > 1 OR id > 2 AND ", ")"),
            ("(age > 1 AND NOT age > 2 OR ", ")"), ("NOT (id > 1 AND age > 2 AND ", ")"),
        ])
    func deepest(opening: String, closing: String) {
        onSmallStack {
            let perLevel = opening.contains("NOT (") ? 2 : 1
            let depth = QueryLimits.nestingMax / perLevel
            let text =
                String(repeating: opening, count: depth - 1) + "height > 3"
                + String(repeating: closing, count: depth - 1)
            do {
                let query = try bind("where " + text)
                let again = try bind(query.description)
                #expect(again.stages == query.stages)
                #expect(again.hashValue != 1)
            } catch { Issue.record("\(error)") }
        }
    }

    @Test(
        "The deepest values, paths and subqueries are bound, printed and compared on a small stack",
        .tags(.security),
        arguments: [
            ("(number + ", ")", QueryLimits.computationDepthMax - 1, "number", " > 1"),
            ("other.", "", QueryLimits.pathSegmentsMax - 1, "number", " > 1"),
            ("(1 + ", ")", QueryLimits.nestingMax - 61, "2", " < number"),
            ("(number * ", ")", 60, "2", " > 1"),
            ("-(", ")", 33, "number", " > 1"), ("-(", ")", 33, "1", " < number"),
            ("lower(", ")", QueryLimits.computationDepthMax - 1, "name", " == 'x'"),
            (
                "SUBQUERY($x.alternates.owner.planes.flights, $x, ", ").@count > 1",
                QueryLimits.subqueryNestingMax, "$x.number > 1", ""
            ),
        ])
    func deepestValues(
        opening: String, closing: String, depth: Int, inner: String, behind: String
    ) {
        onSmallStack {
            var text = inner
            for level in (0..<depth).reversed() {
                let outer = level == 0 ? "" : "$v\(level - 1)."
                let start = opening.replacing("$x.", with: outer)
                    .replacing("$x", with: "$v\(level)")
                text = start + text.replacing("$x", with: "$v\(level)") + closing
            }
            let deep = String(repeating: "NOT (number > 3 AND ", count: 30)
            text = deep + text + behind + String(repeating: ")", count: 30)
            do {
                let query = try bindRich("where " + text)
                let again = try bindRich(query.description)
                #expect(again.stages == query.stages)
                #expect(again.hashValue == query.hashValue || again.text != query.text)
            } catch { Issue.record("\(error)") }
        }
    }

    @Test(
        "Queries that are much too deep are refused on a small stack", .tags(.security),
        arguments: ["(", "NOT ", "x IN {", "f("])
    func tooDeep(opening: String) {
        onSmallStack {
            let error = #expect(throws: QueryError.self) {
                try bind("where " + String(repeating: opening, count: 10_000) + "age > 3")
            }
            #expect(error?.code == .limit)
        }
    }

    @Test("100,000 conditions and a list of 100,000 are bound", .tags(.security))
    func long() throws {
        let chain = String(repeating: "age=1||", count: 99_999) + "age=1"
        guard case .filter(.or(let operands)) = try bind(chain).stages.first else {
            Issue.record("not an OR")
            return
        }
        #expect(operands.count == 100_000)
        let list = (0..<100_000).map(String.init).joined(separator: ",")
        guard case .filter(let condition) = try bind("age IN {\(list)}").stages.first,
            case .oneOf(let values)? = condition.columnTest?.test
        else {
            Issue.record("not a list")
            return
        }
        #expect(values.count == 100_000)
    }

    @Test(
        "Random token soups over the rich schema bind or fail without a trap", .tags(.security),
        arguments: 1...8 as ClosedRange<UInt64>)
    func richSoups(seed: UInt64) {
        let tokens = [
            "number", "plane", ".seats", ".owner", ".age", "crew", "alternates", "roles", "tags",
            "labels", "codes", "scores", "mixed", "anys", "[0]", "['k']", "[*]", "[FIRST]",
            ".@count",
            ".@type", ".@keys", ".@max", ".@sum", ".length", ".flights", "@links.Flight.other",
            "%@",
            "%K", "$x", "ANY", "ALL", "NONE", "==", "!=", "<", "IN", "BETWEEN", "CONTAINS",
            "{1, 2}",
            "{}", "'x'", "5", "1.5", "nil", "obj('Plane', 'a')", "B64'YQ=='", "+", "-", "*", "AND",
            "OR", "NOT", "(", ")", "SUBQUERY(crew, $x, $x.age > 3).@count", "lower(name)", "|",
            "project(x = plane.seats, crew)", "group(city; n = @count)", "SORT(x)", "n > 1",
            "x > 1",
            "DISTINCT(plane)", "set city = 'x'", "delete", "1d", "when", "price", "blob", "uid",
        ]
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_500 {
            let count = Int.random(in: 1...12, using: &generator)
            let soup = (0..<count).compactMap { _ in tokens.randomElement(using: &generator) }
            let text = soup.joined(separator: soup.count % 3 == 0 ? "" : " ")
            let context = richContext(
                arguments: ["x": .list([.int(1), .string("s")])],
                positional: [.string("plane.seats"), .int(3)])
            do {
                let query = try BoundQuery(text, entry: .pipeline, in: context)
                let again = try bindRich(query.description)
                #expect(again.stages == query.stages, "seed \(seed): \(text) -> \(query)")
            } catch {
                #expect(error.range.upperBound <= text.utf8.count, "seed \(seed): \(text)")
                _ = error.render(source: text)
            }
            _ = try? BoundMutation(text, entry: .statement, in: context)
        }
    }

    @Test(
        "Random token soups bind or fail without a trap", .tags(.security),
        arguments: 1...8 as ClosedRange<UInt64>)
    func soups(seed: UInt64) {
        let tokens = [
            "age", "name", "married", "born", "height", "@id", "scores", "AND", "OR", "NOT", "(",
            ")", "{", "}", "[c]", ",", "|", "==", "!=", "<", ">=", "IN", "BETWEEN", "LIKE", "ANY",
            "5", "-", "+", "*", "/", "1.5", "'s'", "$x", "@count", "SORT(", "LIMIT(", "project(",
            "@avg.age", "count", "2013-01-01", "'2013-01-01'", "7d", "now()", "nil", "true",
            "9223372036854775807", "0", "exists", "first", "explain", "TRUEPREDICATE",
        ]
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_500 {
            let count = Int.random(in: 1...14, using: &generator)
            let soup = (0..<count).compactMap { _ in tokens.randomElement(using: &generator) }
            let text = soup.joined(separator: " ")
            do {
                let query = try bind(text, arguments: ["x": .list([.int(1), .string("s")])])
                let again = try bind(query.description)
                #expect(again.stages == query.stages, "seed \(seed): \(text)")
            } catch {
                #expect(error.range.upperBound <= text.utf8.count, "seed \(seed): \(text)")
                _ = error.render(source: text)
            }
        }
    }
}
