import FirnValues

/// A search for the first match of a regular expression in a text, and for the places of its groups.
///
/// All steps that a match can be at are followed together, in the order in which a matcher that tries
/// one after the other would come to them; each carries the places of its groups. The time is at most
/// the length of the text times that of the program and the number of groups, whatever the pattern.
/// To find the first match, the text may be read to its end.
///
/// Source: Russ Cox, Regular Expression Matching: the Virtual Machine Approach (Pike's algorithm).
package struct PatternSearch {
    /// The steps at one position of the text, in their order, each with its places.
    private struct Threads {
        var steps: [Int] = []
        /// The places of the thread at an index, `slotCount` for each; -1 if there is none yet.
        var places: [Int] = []
        private var isMember: [Bool]

        init(of program: PatternProgram) {
            isMember = [Bool](repeating: false, count: program.steps.count)
        }

        private var visited: [Int] = []

        mutating func insert(_ step: Int) -> Bool {
            guard !isMember[step] else { return false }
            isMember[step] = true
            visited.append(step)
            return true
        }

        mutating func removeAll() {
            for step in visited { isMember[step] = false }
            visited.removeAll(keepingCapacity: true)
            steps.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
    }

    private enum Work {
        case visit(Int)
        /// Sets a place back, after all that is reached with the new one.
        case restore(slot: Int, Int)
    }

    private let program: PatternProgram
    /// Whether a match can begin with an ASCII character; `nil` if it can be empty.
    private let firstBytes: [Bool]?
    private var current: Threads
    private var following: Threads
    private var work: [Work] = []

    /// The number of groups of the pattern.
    package var groupCount: Int { program.slotCount / 2 - 1 }

    package init(_ pattern: String) throws(PatternError) {
        let node = try PatternParser.parse(pattern, ignoresCase: false)
        program = try PatternProgram(node, keepsGroups: true)
        current = Threads(of: program)
        following = Threads(of: program)
        firstBytes = Self.firstBytes(of: program)
    }

    private static func firstBytes(of program: PatternProgram) -> [Bool]? {
        var isFirst = [Bool](repeating: false, count: 128)
        var seen: Set<Int> = []
        var pending = [program.start]
        while let step = pending.popLast() {
            guard seen.insert(step).inserted else { continue }
            switch program.steps[step] {
            case .match: return nil
            case .split(let first, let second): pending += [first, second]
            case .assertion(_, let next), .save(_, let next): pending.append(next)
            case .set(let set, _):
                for byte in UInt8(0)..<128
                where program.sets[set].contains(Unicode.Scalar(byte)) {
                    isFirst[Int(byte)] = true
                }
            }
        }
        return isFirst
    }

    /// Returns the place of the first match that begins at or after a position, and the places of its
    /// groups, in bytes; `nil` if there is none, or for a group that has no part in the match.
    ///
    /// - Parameters:
    ///   - text: Valid UTF-8.
    ///   - start: The position of a character, or the end.
    package mutating func firstMatch(
        in text: UnsafeBufferPointer<UInt8>, from start: Int = 0
    ) -> [Range<Int>?]? {
        current.removeAll()
        var found: [Int]?
        var position = start
        var previous = Self.scalar(before: start, in: text)
        var initial = [Int](repeating: -1, count: program.slotCount)
        while true {
            if current.steps.isEmpty {
                if found != nil { break }
                let skipped = skip(from: position, in: text)
                if skipped > position {
                    position = skipped
                    previous = Self.scalar(before: position, in: text)
                }
            }
            let next = Self.scalar(at: position, in: text)
            if found == nil {
                initial[0] = position
                Self.add(
                    program.start, of: program, to: &current, &initial, position, previous,
                    next?.scalar, &work)
            }
            let end = position + (next?.width ?? 0)
            let after = next == nil ? nil : Self.scalar(at: end, in: text)?.scalar
            for (index, step) in current.steps.enumerated() {
                let first = index * program.slotCount
                if case .set(let set, let target) = program.steps[step] {
                    guard let next, program.sets[set].contains(next.scalar) else { continue }
                    var places = Array(current.places[first..<first + program.slotCount])
                    Self.add(
                        target, of: program, to: &following, &places, end, next.scalar, after, &work
                    )
                } else {
                    // Later steps would give a worse match.
                    found = Array(current.places[first..<first + program.slotCount])
                    found?[1] = position
                    break
                }
            }
            guard let next else { break }
            swap(&current, &following)
            following.removeAll()
            previous = next.scalar
            position = end
        }
        guard let found else { return nil }
        return stride(from: 0, to: found.count, by: 2).map { slot in
            found[slot] >= 0 && found[slot + 1] >= found[slot]
                ? found[slot]..<found[slot + 1] : nil
        }
    }

    /// Adds a step, and all that are reached from it without a character, in the order of preference.
    private static func add(
        _ step: Int, of program: PatternProgram, to threads: inout Threads, _ places: inout [Int],
        _ position: Int, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?,
        _ work: inout [Work]
    ) {
        work.append(.visit(step))
        while let item = work.popLast() {
            guard case .visit(let step) = item else {
                if case .restore(let slot, let place) = item { places[slot] = place }
                continue
            }
            guard threads.insert(step) else { continue }
            switch program.steps[step] {
            case .split(let first, let second):
                work.append(.visit(second))
                work.append(.visit(first))
            case .assertion(let assertion, let after):
                if assertion.holds(previous, next) { work.append(.visit(after)) }
            case .save(let slot, let after):
                work.append(.restore(slot: slot, places[slot]))
                places[slot] = position
                work.append(.visit(after))
            case .set, .match:
                threads.steps.append(step)
                threads.places += places
            }
        }
    }

    /// Returns the first position at which a match can begin.
    private func skip(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let firstBytes else { return start }
        var position = start
        while position < text.count, text[position] < 0x80, !firstBytes[Int(text[position])] {
            position += 1
        }
        return position
    }

    // MARK: Characters

    private static func scalar(
        at position: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (scalar: Unicode.Scalar, width: Int)? {
        guard position < text.count else { return nil }
        let lead = text[position]
        guard lead >= 0x80 else { return (Unicode.Scalar(lead), 1) }
        let width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead) & (0x7F >> UInt32(width))
        for index in position + 1..<min(text.count, position + width) {
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", min(width, text.count - position))
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
