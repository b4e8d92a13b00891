import FirnValues

/// The steps of a program that a match can have reached, without duplicates.
struct PatternStates {
    private(set) var members: [Int] = []
    private var isMember: [Bool]
    private var pending: [Int] = []

    init(of program: PatternProgram) {
        isMember = [Bool](repeating: false, count: program.steps.count)
    }

    mutating func removeAll() {
        for member in members { isMember[member] = false }
        members.removeAll(keepingCapacity: true)
    }

    /// Adds a step and all steps that are reached from it without a character.
    mutating func insert(
        _ step: Int, of program: PatternProgram, _ previous: Unicode.Scalar?,
        _ next: Unicode.Scalar?
    ) {
        pending.append(step)
        while let step = pending.popLast() {
            guard !isMember[step] else { continue }
            isMember[step] = true
            members.append(step)
            switch program.steps[step] {
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .assertion(let assertion, let after):
                if assertion.holds(previous, next) { pending.append(after) }
            case .save(_, let after): pending.append(after)
            case .set, .match: break
            }
        }
    }

    /// Whether a match ends here.
    var isMatch: Bool { !isMember.isEmpty && isMember[0] }

    /// Returns the steps that consume a character, and the match, in order.
    func significant(in program: PatternProgram) -> [Int] {
        members.filter { step in
            switch program.steps[step] {
            case .set, .match: true
            case .split, .assertion, .save: false
            }
        }.sorted()
    }
}
