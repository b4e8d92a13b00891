import FirnValues

/// A search for the first match of a regular expression in a text, and for the places of its groups.
///
/// All steps that a match can be at are followed together, in the order in which a matcher that tries
/// one after the other would come to them; each carries the places of its groups. The time is at most
/// the length of the text times that of the program and the number of groups, whatever the pattern.
/// To find the first match, the text may be read to its end.
///
/// Source: Russ Cox, Regular Expression Matching in the Wild (states are made as texts need them).
package final class PatternSearch {
    // Exclusivity checking is disabled at run time: no method passes these to a caller's closure, and
    // the checks would take as long as a short search.
    @exclusivity(unchecked) private var automaton: TaggedAutomaton
    private let slotCount: Int
    /// Two halves, each with the rows of a state: the places before and after a character.
    ///
    /// A row has `slotCount` places; -1 is none.
    @exclusivity(unchecked) private var places: [Int] = []
    /// The start of the half that has the rows of the current state.
    @exclusivity(unchecked) private var base = 0
    /// The places of the best match so far.
    @exclusivity(unchecked) private var found: [Int]
    @exclusivity(unchecked) private var hasFound = false

    /// The number of groups of the pattern.
    package var groupCount: Int { slotCount / 2 - 1 }

    package init(_ pattern: String) throws(PatternError) {
        let node = try PatternParser.parse(pattern, ignoresCase: false)
        let program = try PatternProgram(node, keepsGroups: true)
        automaton = TaggedAutomaton(program)
        slotCount = program.slotCount
        found = Array(repeating: -1, count: slotCount)
    }

    /// Returns the place in bytes of the first match that begins at or after a position; `nil` if there
    /// is none.
    ///
    /// - Parameters:
    ///   - text: Valid UTF-8.
    ///   - start: The position of a character, or the end.
    package func firstMatch(
        in text: UnsafeBufferPointer<UInt8>, from start: Int = 0
    ) -> Range<Int>? {
        hasFound = false
        var position = start
        var state = automaton.start(after: Self.scalar(before: start, in: text))
        while state != TaggedAutomaton.dead {
            run(text, &position, &state)
            guard state != TaggedAutomaton.dead else { break }
            guard let next = Self.scalar(at: position, in: text) else {
                follow(&state, automaton.endClass, position)
                break
            }
            let (number, current) = automaton.number(of: next.scalar, in: state)
            state = current
            follow(&state, number, position)
            position += next.width
        }
        return hasFound ? place(of: 0) : nil
    }

    /// Returns the place of a group in the last match; `nil` if the group did not take part in it.
    ///
    /// - Parameter group: 0 is the whole match.
    package func place(of group: Int) -> Range<Int>? {
        guard group >= 0, group <= groupCount else { return nil }
        let (start, end) = (found[2 * group], found[2 * group + 1])
        return start >= 0 && end >= start ? start..<end : nil
    }

    /// Follows the transition of one character, or of the end of the text, which may be unknown.
    private func follow(_ state: inout Int32, _ scalarClass: Int, _ position: Int) {
        var transition = automaton.transitions[Int(state) * automaton.width + scalarClass]
        if transition.next < 0 {
            (transition, state) = automaton.makeTransition(of: state, scalarClass)
        }
        reservePlaces()
        if transition.move >= 0 {
            withRunning { running in running.move(transition.move, position) }
        }
        state = transition.next
    }

    /// Makes room for the rows of all states.
    private func reservePlaces() {
        let half = automaton.rowCountMax * slotCount
        guard places.count < 2 * half else { return }
        var larger = [Int](repeating: -1, count: 4 * half)
        let count = places.count / 2
        for index in 0..<count { larger[index] = places[base + index] }
        places = larger
        base = 0
    }

    /// Follows known transitions of ASCII characters.
    private func run(
        _ text: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ state: inout Int32
    ) {
        let width = automaton.width
        var (current, index) = (Int(state), position)
        withRunning { running in
            automaton.classes.ofASCII.withUnsafeBufferPointer { classes in
                automaton.transitions.withUnsafeBufferPointer { transitions in
                    while index < text.count, text[index] < 0x80 {
                        let transition =
                            transitions[current &* width &+ Int(classes[Int(text[index])])]
                        guard transition.next >= 0 else { return }
                        if transition.move >= 0 { running.move(transition.move, index) }
                        current = Int(transition.next)
                        index &+= 1
                        if transition.next == TaggedAutomaton.dead { return }
                    }
                }
            }
        }
        (state, position) = (Int32(truncatingIfNeeded: current), index)
    }

    // MARK: Places

    private func withRunning(_ body: (inout Running) -> Void) {
        let half = places.count / 2
        places.withUnsafeMutableBufferPointer { places in
            found.withUnsafeMutableBufferPointer { found in
                automaton.moves.withUnsafeBufferPointer { moves in
                    var running = Running(
                        moves: moves, places: places, found: found, slotCount: slotCount,
                        half: half, base: base, hasFound: hasFound)
                    body(&running)
                    (base, hasFound) = (running.base, running.hasFound)
                }
            }
        }
    }

    /// The places of a search in progress.
    private struct Running {
        let moves: UnsafeBufferPointer<Int32>
        let places: UnsafeMutableBufferPointer<Int>
        let found: UnsafeMutableBufferPointer<Int>
        let slotCount: Int
        let half: Int
        var base: Int
        var hasFound: Bool

        /// Carries out a move at a position.
        mutating func move(_ start: Int32, _ position: Int) {
            var next = Int(start)
            let source = moves[next]
            if source == TaggedAutomaton.noMatch {
                next += 2
            } else {
                next = copy(next, to: found, 0, position)
                found[1] = position
                hasFound = true
            }
            let rowCount = Int(moves[next])
            next += 1
            let other = base == 0 ? half : 0
            for row in 0..<rowCount {
                next = copy(next, to: places, other + row * slotCount, position)
            }
            base = other
        }

        /// Copies the row that an entry of a move names, and records its places.
        ///
        /// - Returns: the start of the next entry.
        @inline(__always)
        private func copy(
            _ entry: Int, to target: UnsafeMutableBufferPointer<Int>, _ place: Int,
            _ position: Int
        ) -> Int {
            let source = Int(moves[entry])
            for slot in 0..<slotCount {
                target[place + slot] =
                    source < 0 ? -1 : places[base + source * slotCount + slot]
            }
            let end = entry + 2 + Int(moves[entry + 1])
            for index in entry + 2..<end { target[place + Int(moves[index])] = position }
            return end
        }
    }

    // MARK: Characters

    private static func scalar(
        at position: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (scalar: Unicode.Scalar, width: Int)? {
        guard position < text.count else { return nil }
        return Unicode.Scalar.decoded(at: position, in: text)
    }

    private static func scalar(
        before position: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Unicode.Scalar? {
        guard position > 0 else { return nil }
        var start = position - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return scalar(at: start, in: text)?.scalar
    }
}
