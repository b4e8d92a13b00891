import FirnEngine
import FirnTesting
import FirnValues

/// Operations of every kind with values of every type; a store need not accept them.
struct RandomOperation {
    var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// The number of kinds that ``operation(kind:)`` knows.
    static let kindCount = 26

    mutating func operation() -> Operation {
        operation(kind: Int(generator.next() % UInt64(RandomOperation.kindCount)))
    }

    mutating func operation(kind: Int) -> Operation {
        switch kind {
        case 0: .create(classID(), row(), (0..<number(9)).map { _ in value() })
        case 1: .set(classID(), row(), property(), value())
        case 2: .delete(classID(), row())
        case 3...13: .edit(classID(), row(), property(), edit(kind - 3))
        case 14...22: .schema(change(kind - 14))
        case 23: .freeze(freeze())
        case 24: annotation().map { .annotate($0) } ?? .dropFreeze(text())
        default: .dropFreeze(text())
        }
    }

    private mutating func annotation() -> Annotation? {
        Annotation(author: text(), note: text())
    }

    private mutating func edit(_ kind: Int) -> CollectionEdit {
        switch kind {
        case 0: .append(value())
        case 1: .insert(position(), value())
        case 2: .replace(position(), value())
        case 3: .remove(position())
        case 4: .move(from: position(), to: position())
        case 5: .add(value())
        case 6: .discard(value())
        case 7: .put(text(), value())
        case 8: .drop(text())
        case 9: .clear
        default: .remove(-1)
        }
    }

    private mutating func change(_ kind: Int) -> SchemaChange {
        switch kind {
        case 0: .addClasses((0..<number(4)).map { _ in definition() })
        case 1: .renameClass(classID(), text())
        case 2: .removeClass(classID())
        case 3: .addProperty(classID(), definition(), defaultValue: flip() ? value() : nil)
        case 4: .renameProperty(classID(), property(), text())
        case 5: .removeProperty(classID(), property())
        case 6: .setKey(classID(), flip() ? property() : nil)
        case 7: .addInverse(classID(), inverse())
        case 8: .setModelVersion(UInt64(number(99)))
        default: .removeInverse(classID(), text())
        }
    }

    private mutating func definition() -> ClassDefinition {
        ClassDefinition(
            name: text(), properties: (0..<number(5)).map { _ in definition() },
            keyName: flip() ? text() : nil, isEmbedded: flip(),
            inverses: (0..<number(3)).map { _ in inverse() })
    }

    private mutating func definition() -> ClassDefinition.Property {
        let base = Generated.pick(
            ValueTag.allCases.filter { ![.null, .list, .set, .map].contains($0) }, &generator)
        let containers: [PropertyType.Container] = [.single, .list, .set, .map]
        return ClassDefinition.Property(
            name: text(),
            type: PropertyType(
                base, isOptional: flip(), container: Generated.pick(containers, &generator),
                target: flip() ? classID() : nil,
                integerWidth: Generated.pick(IntegerWidth.allCases, &generator)),
            display: Generated.pick([nil, .dateOnly, .decimalPlaces(1 + number(15))], &generator),
            targetName: flip() ? text() : nil, isIndexed: flip(),
            columnName: flip() ? text() : nil)
    }

    private mutating func inverse() -> ClassDefinition.Inverse {
        ClassDefinition.Inverse(
            name: text(), sourceClassName: text(), sourcePropertyName: text())
    }

    private mutating func freeze() -> Freeze {
        Freeze(
            name: text(), version: LSN(wide()), createdSeconds: Int64(bitPattern: wide()),
            expiresSeconds: flip() ? Int64(bitPattern: wide()) : nil, note: text())
    }

    // MARK: Values

    /// A value in its stored form: sets in their order, each element once.
    mutating func value(depth: Int = 0) -> Value {
        switch generator.next() % (depth < 4 ? 8 : 4) {
        case 0: .null
        case 1: .link(ObjectReference(classID: classID(), rowID: row()))
        case 5: .list((0..<number(4)).map { _ in value(depth: depth + 1) })
        case 6: .set((0..<number(5)).map { _ in scalar() }.canonicalSet)
        case 7: .map(map(depth: depth + 1))
        default: scalar()
        }
    }

    private mutating func map(depth: Int) -> TextMap<Value> {
        var map: TextMap<Value> = [:]
        for _ in 0..<number(4) { map[text()] = value(depth: depth) }
        return map
    }

    private mutating func scalar() -> Value {
        let base = Generated.pick(Generated.scalarBases, &generator)
        return Generated.scalar(PropertyType(base), &generator)
    }

    // MARK: Numbers and names

    private mutating func classID() -> ClassID {
        // Few, so that the same one often comes twice.
        ClassID(generator.happens(oneIn: 9) ? .max : UInt32(generator.next() % 3))
    }

    private mutating func row() -> RowID { RowID(wide()) }
    private mutating func property() -> PropertyID {
        PropertyID(generator.happens(oneIn: 9) ? .max : UInt32(generator.next() % 300))
    }
    private mutating func position() -> Int {
        generator.happens(oneIn: 9) ? .max : Int(generator.next() % 100_000)
    }
    private mutating func wide() -> UInt64 { generator.next() >> (generator.next() % 64) }
    private mutating func number(_ limit: UInt64) -> Int { Int(generator.next() % limit) }
    private mutating func flip() -> Bool { generator.happens(oneIn: 2) }
    private mutating func text() -> String {
        Generated.pick(["", "a", "Dog", "n\u{E4}me", "\u{1F436}", "x y/z"], &generator)
            + "\(generator.next() % 50)"
    }
}
