import FirnTesting

/// Generates conditions on the objects of a world that the language accepts.
struct RandomPlainQuery {
    let world: PlainWorld
    var generator: SplitMix64
    /// Whether the next numbers are compared with an Int, which refuses more than 64 bits.
    private var meetsInt = false

    init(world: PlainWorld, generator: SplitMix64) {
        self.world = world
        self.generator = generator
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func query(of classIndex: Int, depth: Int) -> PlainQuery {
        if depth > 0 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                return .and(
                    query(of: classIndex, depth: depth - 1),
                    query(of: classIndex, depth: depth - 1))
            case 1:
                return .or(
                    query(of: classIndex, depth: depth - 1),
                    query(of: classIndex, depth: depth - 1))
            case 2: return .not(query(of: classIndex, depth: depth - 1))
            case 3:
                if let subquery = subquery(of: classIndex, depth: depth) { return subquery }
            default: break
            }
        }
        return comparison(of: classIndex)
    }

    private mutating func subquery(of classIndex: Int, depth: Int) -> PlainQuery? {
        let (path, target) = objects(
            from: classIndex, hops: Int.random(in: 1...3, using: &generator))
        guard path.isMultiple else { return nil }
        return .count(
            path, query(of: target, depth: depth - 1), pick(PlainOperator.orders),
            Int64.random(in: 0...2, using: &generator))
    }

    /// A path of links.
    private mutating func objects(
        from classIndex: Int, hops: Int
    ) -> (path: PlainPath, target: Int) {
        var path = PlainPath(steps: [], isMultiple: false)
        var target = classIndex
        for _ in 0..<hops {
            let name = pick(["one", "two", "many", "keyed"])
            guard let property = world.property(name, of: target),
                let next = property.kind.target
            else { break }
            path.steps.append(.name(name))
            if property.kind.isCollection { path.isMultiple = true }
            target = next
        }
        return (path, target)
    }

    private mutating func comparison(of classIndex: Int) -> PlainQuery {
        // Up to four hops, with the property at the end.
        let (links, target) = objects(
            from: classIndex, hops: Int.random(in: 0...3, using: &generator))
        let property = pick(world.classes[target].filter { $0.kind.target == nil })
        var path = links
        path.steps.append(.name(property.name))
        meetsInt = [.int, .ints].contains(property.kind)
        switch property.kind {
        case .int, .double, .decimal:
            if property.kind == .decimal, !path.isMultiple, generator.happens(oneIn: 4) {
                return .sum(
                    path, .number(pick(["0.1", "1", "0.000000000000000001"])),
                    pick(PlainOperator.orders), number)
            }
            return values(path, isText: false)
        case .text: return values(path, isText: true)
        case .data: return .compare(quantifier(path), path, pick([.equal, .notEqual]), .null)
        case .ints, .decimals:
            if links.steps.isEmpty, generator.happens(oneIn: 4) {
                return .whole(path, literals(isText: false))
            }
            path.isMultiple = true
            return values(path, isText: false)
        case .texts:
            path.isMultiple = true
            return values(path, isText: true)
        case .any, .anys, .anyMap: return inside(path, property.kind)
        case .link, .links, .linkMap: return .compare(nil, path, .equal, .null)
        }
    }

    /// A path into an Any: maps, lists, and objects of any class.
    private mutating func inside(_ path: PlainPath, _ kind: PlainKind) -> PlainQuery {
        var path = path
        switch kind {
        case .anys: path.steps.append(pick([.all, .index(0), .index(1)]))
        case .anyMap: path.steps.append(pick([.all, .key("n"), .key("one"), .key("k")]))
        default: break
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            path.steps.append(
                pick([
                    .name("n"), .name("one"), .name("d"), .name("t"), .name("any"), .key("k"),
                    .key("n"), .index(0), .all, .name("ints"), .name("many"),
                ]))
        }
        if path.steps.contains(.all) { path.isMultiple = true }
        return values(path, isText: generator.happens(oneIn: 3))
    }

    private mutating func quantifier(_ path: PlainPath) -> PlainQuantifier? {
        guard path.isMultiple else { return nil }
        return generator.happens(oneIn: 3) ? nil : pick(PlainQuantifier.allCases)
    }

    private var number: PlainLiteral {
        mutating get {
            let digits = PlainWorld.digits.filter { !meetsInt || $0.count < 20 || $0.contains(".") }
            return .number(pick(generator.happens(oneIn: 2) ? ["0", "1", "2", "3"] : digits))
        }
    }

    private mutating func literal(isText: Bool) -> PlainLiteral {
        isText ? .text(pick(PlainWorld.texts)) : number
    }

    private mutating func literals(isText: Bool) -> [PlainLiteral] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in literal(isText: isText) }
    }

    /// Scalar values at the end of a path.
    private mutating func values(_ path: PlainPath, isText: Bool) -> PlainQuery {
        let operation =
            isText && generator.happens(oneIn: 2)
            ? pick(PlainOperator.texts) : pick(PlainOperator.orders)
        let isOrder = PlainOperator.orders.contains(operation)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .isIn(quantifier(path), path, literals(isText: isText))
        case 1, 2:
            guard path.isMultiple else { break }
            let isListFirst = isOrder && generator.happens(oneIn: 2)
            return .list(
                pick(PlainQuantifier.allCases), path, operation, pick(PlainQuantifier.allCases),
                literals(isText: isText), isListFirst: isListFirst)
        case 3 where isOrder:
            return .mirrored(literal(isText: isText), operation, quantifier(path), path)
        case 4:
            return .compare(quantifier(path), path, pick([.equal, .notEqual]), .null)
        default: break
        }
        return .compare(quantifier(path), path, operation, literal(isText: isText))
    }
}
