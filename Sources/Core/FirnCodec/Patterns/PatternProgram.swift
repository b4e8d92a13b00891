import FirnValues

/// A regular expression as a nondeterministic automaton (Thompson's construction).
struct PatternProgram: Sendable {
    enum Step: Sendable {
        /// Consumes a character of a set, then continues.
        case set(Int, next: Int)
        /// Continues at both steps.
        case split(Int, Int)
        case assertion(PatternAssertion, next: Int)
        /// Records the position as the start or the end of a group, then continues.
        case save(Int, next: Int)
        case match
    }

    private(set) var steps: [Step] = [.match]
    /// The distinct sets of characters.
    private(set) var sets: [ScalarSet] = []
    private(set) var start = 0
    private(set) var hasAssertions = false
    /// The number of positions that a match records: two for the whole match, and two for each
    /// group.
    private(set) var slotCount = 2
    private let keepsGroups: Bool
    private var numbers: [ScalarSet: Int] = [:]

    /// - Parameter keepsGroups: Whether a match records the places of its groups.
    init(_ node: PatternNode, keepsGroups: Bool = false) throws(PatternError) {
        self.keepsGroups = keepsGroups
        if keepsGroups { slotCount += 2 * node.groupCount }
        start = try add(node, before: 0)
    }

    /// Adds the steps of a part.
    ///
    /// - Returns: the first step.
    private mutating func add(_ node: PatternNode, before next: Int) throws(PatternError) -> Int {
        switch node {
        case .empty: return next
        case .set(let set): return try add(.set(number(of: set), next: next))
        case .assertion(let assertion):
            hasAssertions = true
            return try add(.assertion(assertion, next: next))
        case .sequence(let parts):
            var next = next
            for part in parts.reversed() { next = try add(part, before: next) }
            return next
        case .choice(let choices):
            var first: Int?
            for choice in choices.reversed() {
                let start = try add(choice, before: next)
                if let later = first {
                    first = try add(.split(start, later))
                } else {
                    first = start
                }
            }
            return first ?? next
        case .repetition(let part, let min, let max, let isLazy):
            return try addRepetition(part, min, max, isLazy, before: next)
        case .group(let number, let part):
            guard keepsGroups else { return try add(part, before: next) }
            let end = try add(.save(2 * number + 1, next: next))
            return try add(.save(2 * number, next: try add(part, before: end)))
        }
    }

    private mutating func addRepetition(
        _ part: PatternNode, _ min: Int, _ max: Int?, _ isLazy: Bool, before next: Int
    ) throws(PatternError) -> Int {
        func choice(_ again: Int) -> Step { isLazy ? .split(next, again) : .split(again, next) }
        var first = next
        if let max {
            for _ in Swift.min(min, max)..<max {
                first = try add(choice(try add(part, before: first)))
            }
        } else {
            // The loop refers to itself, so its step exists before its part.
            let loop = try add(.split(next, next))
            steps[loop] = choice(try add(part, before: loop))
            first = loop
        }
        for _ in 0..<min {
            let count = steps.count
            first = try add(part, before: first)
            // Repetitions of nothing inside of each other would take 1,000 times 1,000 ... rounds.
            if steps.count == count { break }
        }
        return first
    }

    private mutating func add(_ step: Step) throws(PatternError) -> Int {
        guard steps.count < PatternLimits.programStepsMax else {
            throw PatternError(
                "the pattern needs more than \(PatternLimits.programStepsMax) steps", 0..<0,
                hint: "repeat parts less often", isLimit: true)
        }
        steps.append(step)
        return steps.count - 1
    }

    private mutating func number(of set: ScalarSet) -> Int {
        if let number = numbers[set] { return number }
        numbers[set] = sets.count
        sets.append(set)
        return sets.count - 1
    }
}
