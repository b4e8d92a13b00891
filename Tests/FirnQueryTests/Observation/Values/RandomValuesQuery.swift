import FirnTesting

/// Random pipelines over orders that deliver values: groups with any aggregates, computed items, and
/// stages after them.
struct RandomValuesQuery {
    var generator: SplitMix64

    private mutating func pick(_ texts: [String]) -> String {
        texts.randomElement(using: &generator) ?? texts[0]
    }

    private mutating func aggregate() -> String {
        let property = pick(["amount", "total", "price", "region"])
        return pick([
            "@count", "@sum.\(property)", "@avg.\(property)", "@min.\(property)",
            "@max.\(property)", "@median.\(property)", "@stddev.amount", "@distinct.\(property)",
            "@first.\(property)", "@last.amount", "@count.\(property)", "@count(amount > 3)",
            "@quantile(amount, 0.3)", "@variance.amount", "@sum(amount * 2)",
        ])
    }

    private mutating func items(_ names: [String]) -> String {
        names.map { name in
            let computed = generator.happens(oneIn: 3) ? pick(["1 * ", "2 + ", "0 - "]) : ""
            return "\(name) = \(computed)\(aggregate())"
        }.joined(separator: ", ")
    }

    /// Returns the text of a query.
    mutating func text() -> String {
        var text = "Order"
        if generator.happens(oneIn: 3) { text += " amount > 0" }
        if generator.happens(oneIn: 6) { text += " SORT(amount)" }
        let keys = pick(["state", "region", "state, region", "customer.country", ""])
        guard !keys.isEmpty else { return text + " | select(\(items(["a", "b"])))" }
        text += " | group(\(keys); \(items(["a", "b"])))"
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: text += " | a > 1"
            case 1: text += " | SORT(a DESC, b)"
            case 2: text += " | LIMIT(3)"
            case 3: return text + " | select(n = @count, m = @max.a)"
            case 4: return text + " | select(x = 1 * @median.a, t = @count)"
            case 5: return text + " | count"
            default: return text + " | group(a; n = @count, s = @first.b)"
            }
        }
        return text
    }
}
