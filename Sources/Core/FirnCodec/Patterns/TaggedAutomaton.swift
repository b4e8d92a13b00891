import FirnValues

/// A deterministic automaton whose transitions also record the places of groups.
///
/// A state is the list of the steps that a match can be at, in the order of preference. Each has a row
/// with the places of its groups. A transition names, for each row of the next state, the row that it
/// continues and the places that it notes. States are made when a text needs them, and are given up
/// when there are many; to make one takes at most the length of the program.
///
///     moves   source of the match or `noMatch`, slots | row count | source, slots | source, slots ...
///     slots   count, slot, slot ...
///
/// Source: Ville Laurikari, NFAs with Tagged Transitions, their Conversion to Deterministic Automata and
/// Application to Regular Expressions (2000).
struct TaggedAutomaton {
    /// The state of a search between two characters of a text.
    private struct State: Hashable {
        var steps: [Int]
        /// Whether a match can still begin.
        var isSearching: Bool
        /// The class of the preceding character, if the program can ask for it; `nil` at the start.
        var previous: Int?
    }

    struct Transition {
        static let unknown = Transition(next: -1, move: -1)

        var next: Int32
        /// The start of its move; -1 if all rows stay as they are.
        var move: Int32
    }

    /// The source of a row without places.
    static let fresh: Int32 = -1
    static let noMatch: Int32 = -2
    /// The state from which no match can be reached.
    static let dead: Int32 = 0

    private static let stateCountMax = 1_000
    private static let moveCountMax = 1 << 20
    /// The maximum number of steps of all states together, which limits their memory.
    private static let stepCountMax = 1 << 18

    let program: PatternProgram
    private(set) var classes: ScalarClasses
    private var states: [State] = []
    private var numbers: [State: Int32] = [:]
    private var stepCount = 0
    /// One transition for each state and class; the last class is the end of a text.
    private(set) var transitions: [Transition] = []
    private(set) var moves: [Int32] = []
    /// The state at the start of a text.
    private var initial: Int32 = 1
    /// The states before any other character of a search, by the class of the preceding character.
    private var starts: [Int: Int32] = [:]
    /// The maximum number of rows of a state.
    private(set) var rowCountMax = 0

    init(_ program: PatternProgram) {
        self.program = program
        classes = ScalarClasses(of: program)
        removeAll()
    }

    /// The number of transitions of each state.
    var width: Int { classes.count + 1 }

    /// The class of the end of a text.
    var endClass: Int { classes.count }

    private mutating func removeAll() {
        (states, numbers, transitions, moves, starts) = ([], [:], [], [], [:])
        stepCount = 0
        _ = number(of: State(steps: [], isSearching: false))
        initial = number(of: State(steps: [], isSearching: true))
    }

    /// Returns the state before any character of a search.
    mutating func start(after previous: Unicode.Scalar?) -> Int32 {
        guard program.hasAssertions, let previous else { return initial }
        let (before, _) = number(of: previous, in: initial)
        if let start = starts[before] { return start }
        let start = number(of: State(steps: [], isSearching: true, previous: before))
        starts[before] = start
        return start
    }

    private mutating func number(of state: State) -> Int32 {
        if let number = numbers[state] { return number }
        let number = Int32(truncatingIfNeeded: states.count)
        numbers[state] = number
        states.append(state)
        stepCount += state.steps.count
        rowCountMax = max(rowCountMax, state.steps.count)
        transitions += repeatElement(.unknown, count: width)
        return number
    }

    /// Returns the class of a character, and the new number of a state.
    mutating func number(
        of scalar: Unicode.Scalar, in state: Int32
    ) -> (class: Int, state: Int32) {
        let count = classes.count
        let number = Int(classes.insert(scalar))
        guard classes.count > count else { return (number, state) }
        // The rows of the tables have become longer.
        return (number, restarted(at: state))
    }

    /// Discards all states except one, and returns its new number.
    private mutating func restarted(at state: Int32) -> Int32 {
        let kept = states[Int(state)]
        removeAll()
        return number(of: kept)
    }

    /// Creates the transition of a state for a class of characters, or for the end.
    ///
    /// - Returns: the transition, and the number that the state has from now on.
    mutating func makeTransition(
        of state: Int32, _ scalarClass: Int
    ) -> (transition: Transition, state: Int32) {
        var number = state
        if states.count >= Self.stateCountMax || moves.count >= Self.moveCountMax
            || stepCount >= Self.stepCountMax
        {
            number = restarted(at: state)
        }
        let state = states[Int(number)]
        var closure = Closure(of: program)
        let previous = state.previous.map { classes.examples[$0] }
        let next = scalarClass == endClass ? nil : classes.examples[scalarClass]
        for (row, step) in state.steps.enumerated() {
            closure.add(step, row: Int32(truncatingIfNeeded: row), [], previous, next)
        }
        if state.isSearching { closure.add(program.start, row: Self.fresh, [0], previous, next) }
        var reached = State(
            steps: [], isSearching: state.isSearching,
            previous: program.hasAssertions ? scalarClass : nil)
        let move = moves.count
        append(closure.match)
        moves.append(0)
        let first = moves.count - 1
        var isPure = closure.match == nil
        var isMember = Set<Int>()
        for entry in closure.entries {
            guard case .set(let set, let target) = program.steps[entry.step], let next,
                program.sets[set].contains(next), isMember.insert(target).inserted
            else { continue }
            isPure = isPure && entry.slots.isEmpty && Int(entry.row) == reached.steps.count
            reached.steps.append(target)
            append(entry)
        }
        moves[first] = Int32(truncatingIfNeeded: reached.steps.count)
        if closure.match != nil || next == nil { reached.isSearching = false }
        if reached.steps.isEmpty, !reached.isSearching { reached.previous = nil }
        if isPure { moves.removeLast(moves.count - move) }
        let transition = Transition(
            next: self.number(of: reached),
            move: isPure ? -1 : Int32(truncatingIfNeeded: move))
        transitions[Int(number) * width + scalarClass] = transition
        return (transition, number)
    }

    private mutating func append(_ entry: Closure.Entry?) {
        guard let entry else {
            moves += [Self.noMatch, 0]
            return
        }
        moves.append(entry.row)
        moves.append(Int32(truncatingIfNeeded: entry.slots.count))
        moves += entry.slots
    }
}

/// The steps that are reached without a character, in the order of preference, up to a match.
private struct Closure {
    /// A step that consumes a character, or a match, with the row that it continues.
    struct Entry {
        let step: Int
        let row: Int32
        /// The places that it records.
        let slots: [Int32]
    }

    private enum Work {
        case visit(Int)
        /// Ends the part that records a place.
        case leave
    }

    private let program: PatternProgram
    private var isMember: [Bool]
    private(set) var entries: [Entry] = []
    private(set) var match: Entry?

    init(of program: PatternProgram) {
        self.program = program
        isMember = [Bool](repeating: false, count: program.steps.count)
    }

    mutating func add(
        _ step: Int, row: Int32, _ slots: [Int32], _ previous: Unicode.Scalar?,
        _ next: Unicode.Scalar?
    ) {
        var slots = slots
        var work = [Work.visit(step)]
        // Later steps than a match would give a worse one.
        while match == nil, let item = work.popLast() {
            guard case .visit(let step) = item else {
                slots.removeLast()
                continue
            }
            guard !isMember[step] else { continue }
            isMember[step] = true
            switch program.steps[step] {
            case .split(let first, let second): work += [.visit(second), .visit(first)]
            case .assertion(let assertion, let after):
                if assertion.holds(previous, next) { work.append(.visit(after)) }
            case .save(let slot, let after):
                slots.append(Int32(truncatingIfNeeded: slot))
                work += [.leave, .visit(after)]
            case .match: match = Entry(step: step, row: row, slots: slots)
            case .set: entries.append(Entry(step: step, row: row, slots: slots))
            }
        }
    }
}
