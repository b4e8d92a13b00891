import FirnValues

/// A deterministic automaton for the characters of a regular expression.
///
///     transitions[state * classCount + class]   the next state, times classCount
///
/// State 0 has no way to a match.
/// The automaton is built completely, or not at all if it would become too large.
struct PatternAutomaton: Sendable {
    private static let statesMax = 1_000
    /// The number of steps that may be taken while the automaton is built.
    private static let workMax = 1_000_000

    private let classes: ScalarClasses
    private var transitions: [UInt32] = []
    private var isMatch: [Bool] = []
    /// The steps of the program that each state combines.
    private(set) var members: [[Int]] = []

    let start: Int

    init?(_ program: PatternProgram) {
        guard !program.hasAssertions else { return nil }
        classes = ScalarClasses(of: program)
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
            for example in classes.examples {
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
                transitions.append(UInt32(truncatingIfNeeded: number * classes.count))
            }
            guard members.count <= Self.statesMax, work <= Self.workMax else { return nil }
            state += 1
        }
    }

    /// Processes the characters of a text up to the first whose class is unknown.
    ///
    /// - Returns: the state, and the number of bytes read.
    func run(_ text: UnsafeBufferPointer<UInt8>) -> (state: Int, length: Int) {
        var row = start * classes.count
        var index = 0
        classes.ofASCII.withUnsafeBufferPointer { ofASCII in
            transitions.withUnsafeBufferPointer { transitions in
                while index < text.count, row != 0 {
                    let byte = Int(text[index])
                    if byte < 0x80 {
                        row = Int(transitions[row &+ Int(ofASCII[byte])])
                        index &+= 1
                        continue
                    }
                    let (scalar, width) = Unicode.Scalar.decoded(at: index, in: text)
                    guard let number = classes.number(of: scalar) else { return }
                    row = Int(transitions[row &+ number])
                    index += width
                }
            }
        }
        return (row / classes.count, index)
    }

    func isMatch(_ state: Int) -> Bool { isMatch[state] }
}
