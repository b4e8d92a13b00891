import FirnValues

/// A deterministic automaton for the ASCII characters of a regular expression.
///
///     transitions[state * classCount + classes[byte]]   the next state
///
/// Bytes that all sets of the pattern treat alike are in one class. State 0 has no way to a match.
/// The automaton is built completely, or not at all if it would become too large.
struct PatternAutomaton: Sendable {
    private static let statesMax = 1_000
    /// The number of steps that may be taken while the automaton is built.
    private static let workMax = 1_000_000

    private let classes: [UInt8]
    private let classCount: Int
    private var transitions: [UInt16] = []
    private var isMatch: [Bool] = []
    /// The steps of the program that each state combines.
    private(set) var members: [[Int]] = []

    let start: Int

    init?(_ program: PatternProgram) {
        guard !program.hasAssertions else { return nil }
        let (classes, examples) = Self.classes(of: program)
        self.classes = classes
        classCount = examples.count
        var states = PatternStates(of: program)
        states.insert(program.start, of: program, nil, nil)
        let first = states.significant(in: program)
        start = 1
        var numbers: [[Int]: Int] = [[]: 0, first: 1]
        members = [[], first]
        var work = 0
        var state = 0
        while state < members.count {
            isMatch.append(members[state].first == 0)
            for example in examples {
                states.removeAll()
                for step in members[state] {
                    guard case .set(let set, let next) = program.steps[step],
                        program.sets[set].contains(example)
                    else { continue }
                    states.insert(next, of: program, nil, nil)
                }
                work += members[state].count + states.members.count + 1
                let target = states.significant(in: program)
                let number = numbers[target] ?? members.count
                if number == members.count {
                    numbers[target] = number
                    members.append(target)
                }
                transitions.append(UInt16(truncatingIfNeeded: number))
            }
            guard members.count <= Self.statesMax, work <= Self.workMax else { return nil }
            state += 1
        }
    }

    /// Returns the class of each ASCII character, and one character of each class.
    private static func classes(
        of program: PatternProgram
    ) -> (classes: [UInt8], examples: [Unicode.Scalar]) {
        var classes: [UInt8] = []
        var examples: [Unicode.Scalar] = []
        var numbers: [[Bool]: UInt8] = [:]
        for byte in UInt8(0)..<128 {
            let scalar = Unicode.Scalar(byte)
            let signature = program.sets.map { $0.contains(scalar) }
            if let number = numbers[signature] {
                classes.append(number)
                continue
            }
            let number = UInt8(truncatingIfNeeded: examples.count)
            numbers[signature] = number
            classes.append(number)
            examples.append(scalar)
        }
        return (classes, examples)
    }

    /// Runs over the ASCII characters at the start of a text.
    ///
    /// - Returns: the state, and the number of bytes read.
    func run(_ text: UnsafeBufferPointer<UInt8>) -> (state: Int, length: Int) {
        var state = start
        var index = 0
        classes.withUnsafeBufferPointer { classes in
            transitions.withUnsafeBufferPointer { transitions in
                while index < text.count, state != 0 {
                    let byte = Int(text[index])
                    guard byte < 0x80 else { return }
                    state = Int(transitions[state &* classCount &+ Int(classes[byte])])
                    index &+= 1
                }
            }
        }
        return (state, index)
    }

    func isMatch(_ state: Int) -> Bool { isMatch[state] }
}
