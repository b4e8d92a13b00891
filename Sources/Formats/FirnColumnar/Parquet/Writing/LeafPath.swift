import FirnValues

/// The way from a row to the values of a leaf that is written.
struct LeafPath {
    /// A step from a column to a part.
    enum Step {
        /// Values may be null.
        case optional
        /// The values are the elements of a list, in a child.
        case elements(Int)
        /// The values are a child.
        case part(Int)
    }

    var names: [String] = []
    var steps: [Step] = []
    var type = ColumnarType.null

    var definitionMax: Int {
        steps.count { step in
            if case .part = step { false } else { true }
        }
    }

    var repetitionMax: Int {
        steps.count { step in
            if case .elements = step { true } else { false }
        }
    }
}

/// The entries of a leaf in a batch.
struct LeafEntries {
    var definitions: [UInt8] = []
    var repetitions: [UInt8] = []
    var entryCount = 0
    /// The column with the values.
    var column: ColumnarColumn
    /// The positions of the values; `nil` for all.
    var positions: [Int32]?

    /// Finds the entries of a leaf in a column at the root.
    init(_ root: ColumnarColumn, _ path: LeafPath, rowCount: Int) {
        column = root
        entryCount = rowCount
        switch path.steps.first {
        case nil: return
        case .optional where path.steps.count == 1 && root.type != .null:
            flatten(root, rowCount)
        default: walk(path, rowCount)
        }
    }

    private mutating func flatten(_ root: ColumnarColumn, _ rowCount: Int) {
        guard !root.validity.isEmpty else {
            definitions = Array(repeating: 1, count: rowCount)
            return
        }
        definitions.reserveCapacity(rowCount)
        var positions: [Int32] = []
        positions.reserveCapacity(rowCount)
        for row in 0..<rowCount {
            let isValid = root.isValid(row)
            definitions.append(isValid ? 1 : 0)
            if isValid { positions.append(Int32(truncatingIfNeeded: row)) }
        }
        self.positions = positions
    }

    /// Follows the steps; the position of an entry that ended at a null or empty list is -1.
    private mutating func walk(_ path: LeafPath, _ rowCount: Int) {
        var positions = (0..<Int32(truncatingIfNeeded: rowCount)).map(\.self)
        definitions = Array(repeating: 0, count: rowCount)
        repetitions = path.repetitionMax > 0 ? Array(repeating: 0, count: rowCount) : []
        var repetition: UInt8 = 0
        for step in path.steps {
            switch step {
            case .part(let index): column = column.children[index]
            case .optional:
                for entry in positions.indices where positions[entry] >= 0 {
                    if column.type != .null, column.isValid(Int(positions[entry])) {
                        definitions[entry] += 1
                    } else {
                        positions[entry] = -1
                    }
                }
            case .elements(let index):
                repetition += 1
                expand(&positions, repetition)
                column = column.children[index]
            }
        }
        entryCount = positions.count
        self.positions = positions.filter { $0 >= 0 }
    }

    /// Replaces each list by its elements.
    private mutating func expand(_ positions: inout [Int32], _ repetition: UInt8) {
        var elements: [Int32] = []
        var elementDefinitions: [UInt8] = []
        var elementRepetitions: [UInt8] = []
        elements.reserveCapacity(positions.count)
        for entry in positions.indices {
            let position = Int(positions[entry])
            let start = position < 0 ? 0 : Int32(bitPattern: column.offsets[position])
            let end = position < 0 ? 0 : Int32(bitPattern: column.offsets[position + 1])
            guard start < end else {
                elements.append(-1)
                elementDefinitions.append(definitions[entry])
                elementRepetitions.append(repetitions[entry])
                continue
            }
            for element in start..<end {
                elements.append(element)
                elementDefinitions.append(definitions[entry] + 1)
                elementRepetitions.append(element == start ? repetitions[entry] : repetition)
            }
        }
        positions = elements
        definitions = elementDefinitions
        repetitions = elementRepetitions
    }
}
