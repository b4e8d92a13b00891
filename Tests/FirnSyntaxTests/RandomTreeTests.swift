import FirnSyntax
import FirnTesting
import FirnValues
import Testing

/// Generates random statements with the whole grammar.
struct TreeGenerator {
    var random: SplitMix64

    static let names = ["a", "b c", "and", "NOT", "SORT", "in", "größe", "`", "first", "x1", "T1"]
    static let somewhere = SourceRange(0..<0)

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick<T>(_ elements: [T]) -> T { elements[number(0..<elements.count)] }

    mutating func many<T>(_ range: Range<Int>, _ make: (inout TreeGenerator) -> T) -> [T] {
        (0..<number(range)).map { _ in make(&self) }
    }

    mutating func statement() -> Statement {
        var source: Source?
        if number(0..<3) > 0 {
            let kinds: [Source.Kind] = [.className("A b"), .className("where"), .saved("s")]
            source = Source(pick(kinds), standsAlone: false, range: Self.somewhere)
        }
        var stages = many(1..<5) { Stage($0.stage(), range: Self.somewhere) }
        if number(0..<4) == 0 { stages.append(Stage(.delete, range: Self.somewhere)) }
        return Statement(source: source, stages: stages)
    }

    mutating func stage() -> Stage.Kind {
        switch number(0..<14) {
        case 0:
            .sort(
                many(1..<4) {
                    SortKey(expression: $0.key(), descending: $0.number(0..<2) == 0)
                })
        case 1: .distinct(many(1..<4) { $0.key() })
        case 2: .limit(expression(1))
        case 3: .skip(expression(1))
        case 4: .project(many(1..<4) { $0.item() })
        case 5: .group(many(1..<3) { $0.groupKey() }, many(1..<3) { $0.item() })
        case 6: pick([.count, .exists, .first, .last, .describe, .explain, .observe])
        case 7: .histogram(path(), buckets: number(0..<2) == 0 ? nil : expression(0))
        case 8: .bar(path())
        default: .filter(predicate(4))
        }
    }

    mutating func key() -> Expression {
        switch number(0..<4) {
        case 0: .call(pick(["lower", "year"]), [.path(path())], Self.somewhere)
        case 1: chain([.multiply, .divide], 1)
        default: .path(path())
        }
    }

    mutating func groupKey() -> ProjectionItem {
        ProjectionItem(
            expression: key(), alias: number(0..<3) == 0 ? pick(Self.names) : nil,
            range: Self.somewhere)
    }

    mutating func item() -> ProjectionItem {
        ProjectionItem(
            expression: expression(2), alias: number(0..<2) == 0 ? nil : pick(Self.names),
            range: Self.somewhere)
    }

    mutating func predicate(_ depth: Int) -> Predicate {
        switch depth == 0 ? 5 : number(0..<8) {
        case 0: .and(many(2..<5) { $0.predicate(depth - 1) }, Self.somewhere)
        case 1: .or(many(2..<5) { $0.predicate(depth - 1) }, Self.somewhere)
        case 2: .not(predicate(depth - 1), Self.somewhere)
        case 3: .constant(number(0..<2) == 0, Self.somewhere)
        case 4: .property(path())
        default:
            .comparison(
                Comparison(
                    left: expression(depth), operator: pick(Comparison.Operator.allCases),
                    options: Comparison.Options(rawValue: UInt8(number(0..<4))),
                    right: expression(depth), operatorRange: Self.somewhere))
        }
    }

    mutating func expression(_ depth: Int) -> Expression {
        switch depth <= 0 ? number(0..<6) : number(0..<13) {
        case 0...2: .literal(literal(), Self.somewhere)
        case 3: .argument(pick(["x", "0", "K0"]), Self.somewhere)
        case 6: .list(many(0..<4) { $0.expression(depth - 1) }, Self.somewhere)
        case 7:
            .call(
                pick(["f", "lower", "now"]), many(0..<3) { $0.expression(depth - 1) },
                Self.somewhere)
        case 8: chain([.add, .subtract], depth)
        case 9: chain([.multiply, .divide], depth)
        case 10: .negation(.path(path()), Self.somewhere)
        case 11:
            .quantified(pick(Quantifier.allCases), .path(path()), Self.somewhere)
        case 12:
            .subquery(
                Subquery(
                    path: path(), variable: "v", variableRange: Self.somewhere,
                    predicate: predicate(depth - 1), range: Self.somewhere))
        default: .path(path())
        }
    }

    private mutating func chain(_ operators: [ArithmeticOperator], _ depth: Int) -> Expression {
        let terms = many(1..<4) { generator in
            ArithmeticTerm(
                operator: generator.pick(operators), operatorRange: Self.somewhere,
                operand: generator.expression(depth - 1))
        }
        return .arithmetic(expression(depth - 1), terms)
    }

    private mutating func literal() -> Literal {
        switch number(0..<9) {
        case 0: .duration(milliseconds: Int64(number(0..<10_000)))
        case 1: .value(.int(pick([0, 1, -1, .max, .min])))
        case 2:
            NumberLiteral(
                pick(["0.0", "-0.0", "1.5", "1e300", "-2.25e-7", "2.7182818284590452353"])
            ).map { .number($0) } ?? .value(.double(.infinity))
        case 3: .value(.bool(number(0..<2) == 0))
        case 4: .value(.null)
        case 5: .value(.date(Timestamp(seconds: Int64(number(-9_999_999..<9_999_999)))))
        case 6: .value(.uuid(UUID(high: random.next(), low: random.next())))
        default: .value(.string(pick(["", "a", "\"'\\", "\n\t\0", "名😀", "-- x", "a|b;c"])))
        }
    }

    private mutating func path() -> Path {
        var segments = [Path.Segment(.name(pick(Self.names)), range: Self.somewhere)]
        if number(0..<6) == 0 {
            segments = [Path.Segment(.attribute("@id"), range: Self.somewhere)]
        }
        segments += many(0..<3) { generator in
            let kind: Path.Segment.Kind =
                switch generator.number(0..<4) {
                case 0: .attribute(generator.pick(["@count", "@avg", "@links"]))
                case 1:
                    .index(
                        generator.pick([
                            .position(3), .key("k\""), .argument("i"), .first, .last, .size, .all,
                        ]))
                default: .name(generator.pick(Self.names))
                }
            return Path.Segment(kind, range: Self.somewhere)
        }
        return Path(
            variable: number(0..<6) == 0 ? "v" : nil, segments: segments, range: Self.somewhere)
    }
}

@Suite("Random trees")
struct RandomTreeTests {
    @Test("A printed tree parses to the same tree", arguments: 1...20 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = TreeGenerator(random: SplitMix64(seed: seed))
        for _ in 0..<100 {
            let tree = generator.statement()
            let text = TreePrinter.text(tree)
            do {
                let again = try Statement.parse(text, entry: .statement)
                #expect(again.source?.kind == tree.source?.kind, "seed \(seed): \(text)")
                #expect(again.stages == tree.stages, "seed \(seed): \(text)")
            } catch {
                Issue.record("seed \(seed): \(error.message) at \(error.range): \(text)")
            }
        }
    }
}
