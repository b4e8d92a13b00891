import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Vectors")
struct ColumnVectorTests {
    @Test("Values of every kind that are appended round-trip", arguments: SampleColumn.kinds)
    func everyKind(kind: ValueTag) {
        for shape in SampleColumn.Shape.allCases {
            let column = SampleColumn(kind, shape, .some, rows: 80, seed: 31)
            var vector = ColumnVector(kind: kind)
            for value in column.values { vector.append(value) }
            #expect((0..<80).map { vector.value(at: $0) } == column.values, "\(column)")
            check(vector, column.values, ColumnVector(kind: kind), "\(column)")
        }
    }

    /// Gathers rows in shuffled order, twice, and clears them again.
    private func check(
        _ vector: ColumnVector, _ values: [Value], _ empty: ColumnVector, _ comment: Comment
    ) {
        var random = SplitMix64(seed: 5)
        let rows = values.indices.map { UInt32($0) }.shuffled(using: &random) + [0, 0]
        var gathered = empty
        gathered.append(vector, rows: rows[2...])
        gathered.append(vector, rows: rows[...])
        let expected = (rows[2...] + rows).map { values[Int($0)] }
        #expect(gathered.count == expected.count, comment)
        #expect(expected.indices.map { gathered.value(at: $0) } == expected, comment)
        gathered.removeAll()
        #expect(gathered.count == 0 && gathered.children.allSatisfy { $0.count == 0 }, comment)
        for value in values { gathered.append(value) }
        #expect(values.indices.map { gathered.value(at: $0) } == values, comment)
    }

    @Test(
        "Vectors differ in the rows whose values differ, and nil, NaN and -0.0 count as values",
        arguments: SampleColumn.kinds)
    func differences(kind: ValueTag) {
        guard ColumnVector(kind: kind).isComparedByBytes else { return }
        for seed: UInt64 in 0..<4 {
            let left = SampleColumn(kind, .random, .some, rows: 200, seed: seed).values
            var right = SampleColumn(kind, .random, .some, rows: 200, seed: seed + 100).values
            for row in right.indices where row % 3 > 0 { right[row] = left[row] }
            let vectors = [left, right].map { values in
                var vector = ColumnVector(kind: kind)
                for value in values { vector.append(value) }
                return vector
            }
            let expected = left.indices.filter { left[$0] != right[$0] }.map { UInt32($0) }
            #expect(vectors[0].differences(from: vectors[1]) == expected)
        }
        guard kind == .double else { return }
        var (left, right) = (ColumnVector(kind: kind), ColumnVector(kind: kind))
        for value: Value in [.double(.nan), .double(0), .null, .null, .double(0)] {
            left.append(value)
        }
        for value: Value in [.double(.nan), .double(-0.0), .null, .double(0), .null] {
            right.append(value)
        }
        #expect(left.differences(from: right) == [1, 3, 4])
    }

    @Test(
        "Replaced rows, and columns built from a vector, have the values of the vector",
        arguments: SampleColumn.kinds)
    func replacing(kind: ValueTag) throws {
        let old = SampleColumn(kind, .random, .some, rows: 150, seed: 3).values
        let new = SampleColumn(kind, .random, .some, rows: 70, seed: 4).values
        var (target, source) = (ColumnVector(kind: kind), ColumnVector(kind: kind))
        for value in old { target.append(value) }
        for value in new { source.append(value) }
        let rows = (0..<50).map { UInt32($0 * 3) }
        var expected = old
        for (index, row) in rows.enumerated() { expected[Int(row)] = new[20 + index] }
        if !kind.isStoredAsBytes {
            target.replace(rows, by: source, from: 20)
            #expect(expected.indices.map { target.value(at: $0) } == expected)
        }
        let builder = ColumnBuilder(kind: kind)
        builder.append(source, rows: 20..<70)
        builder.append(source, rows: 0..<0)
        builder.append(source, rows: 0..<20)
        let page = try builder.makePage()
        #expect((0..<70).map { page.value(at: $0) } == Array(new[20...] + new[..<20]))
    }

    @Test("Lists of every kind round-trip", arguments: SampleColumn.kinds)
    func lists(kind: ValueTag) {
        var random = SplitMix64(seed: UInt64(kind.rawValue))
        let elements = SampleColumn(kind, .random, .some, rows: 300, seed: 8).values
        let values = (0..<70).map { row -> Value in
            if row % 9 == 8 { return .null }
            let count = row % 4 == 0 ? 0 : Int.random(in: 0...6, using: &random)
            return .list((0..<count).map { _ in elements[Int(random.next() % 300)] })
        }
        let empty = ColumnVector(kind: .list, children: [ColumnVector(kind: kind)])
        var vector = empty
        for value in values { vector.append(value) }
        #expect(values.indices.map { vector.value(at: $0) } == values)
        check(vector, values, empty, "\(kind)")
    }

    @Test("Sets round-trip, and maps round-trip in the order of their keys")
    func setsAndMaps() {
        let empty = ColumnVector(
            kind: .map, children: [ColumnVector(kind: .int), ColumnVector(kind: .string)])
        let maps: [Value] = [
            .map(["b": .int(2), "a": .int(1), "é": .null]), .map([:]), .map(["": .int(5)]),
        ]
        var vector = empty
        for map in maps { vector.append(map) }
        #expect(vector.offsets == [0, 3, 3, 4])
        #expect(
            (0..<4).map { vector.children[1].value(at: $0) }
                == [.string("a"), .string("b"), .string("é"), .string("")])
        #expect((0..<3).map { vector.value(at: $0) } == maps)
        check(vector, maps, empty, "maps")

        let sets: [Value] = [.set([.int(1), .int(7)]), .set([])]
        let none = ColumnVector(kind: .set, children: [ColumnVector(kind: .int)])
        var set = none
        for value in sets { set.append(value) }
        #expect((0..<2).map { set.value(at: $0) } == sets)
        check(set, sets, none, "sets")
    }

    @Test("Elements appended to the children become a collection when it ends")
    func children() {
        var vector = ColumnVector(kind: .list, children: [ColumnVector(kind: .int)])
        vector.children[0].append(.int(1))
        vector.children[0].append(.link(ObjectReference(classID: ClassID(3), rowID: RowID(9))))
        vector.endCollection()
        vector.endCollection()
        vector.append(.list([.int(4)]))
        #expect(
            (0..<3).map { vector.value(at: $0) }
                == [.list([.int(1), .int(9)]), .list([]), .list([.int(4)])])
    }

    @Test("Lists of lists round-trip")
    func nested() {
        let empty = ColumnVector(
            kind: .list,
            children: [ColumnVector(kind: .list, children: [ColumnVector(kind: .string)])])
        let values: [Value] = [
            .list([.list([.string("a")]), .null, .list([])]), .list([]),
            .list([.list([.string("b"), .string("c")])]),
        ]
        var vector = empty
        for value in values { vector.append(value) }
        check(vector, values, empty, "nested")
    }

    @Test("Appending a value of another kind is a programming error")
    func mismatch() async {
        await #expect(processExitsWith: .failure) {
            var vector = ColumnVector(kind: .int)
            vector.append(.string("1"))
        }
        await #expect(processExitsWith: .failure) {
            _ = ColumnVector(kind: .list)
        }
    }
}
