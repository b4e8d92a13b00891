import FirnValues

/// A regular expression that is matched against whole texts in linear time.
///
/// Texts are matched by a deterministic automaton with one table lookup per character. From the
/// first character on that it does not know, and for patterns whose automaton would be too large, all
/// steps that a match can be at are followed together. The time is therefore at most the length of the text
/// times that of the program, whatever the pattern.
package struct RegularExpression: Sendable {
    private let program: PatternProgram
    private let automaton: PatternAutomaton?

    /// - Parameter ignoresCase: whether the characters of the pattern match both cases.
    package init(_ pattern: String, ignoresCase: Bool = false) throws(PatternError) {
        let node = try PatternParser.parse(pattern, ignoresCase: ignoresCase)
        program = try PatternProgram(node)
        automaton = PatternAutomaton(program)
    }

    /// Returns whether the whole text, which is valid UTF-8, matches.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let automaton else { return simulate(text, from: [program.start]) }
        let (state, length) = automaton.run(text)
        guard length < text.count, state != 0 else {
            return length == text.count && automaton.isMatch(state)
        }
        return simulate(
            UnsafeBufferPointer(rebasing: text[length...]), from: automaton.members[state])
    }

    /// Follows all steps together, character by character.
    private func simulate(_ text: UnsafeBufferPointer<UInt8>, from steps: [Int]) -> Bool {
        var current = PatternStates(of: program)
        var following = PatternStates(of: program)
        var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.makeIterator()
        var next = scalars.next()
        for step in steps { current.insert(step, of: program, nil, next) }
        while let scalar = next {
            next = scalars.next()
            for step in current.members {
                guard case .set(let set, let after) = program.steps[step],
                    program.sets[set].contains(scalar)
                else { continue }
                following.insert(after, of: program, scalar, next)
            }
            swap(&current, &following)
            following.removeAll()
            if current.members.isEmpty { return false }
        }
        return current.isMatch
    }
}
