import Firn
import FirnTesting
import Foundation

/// A type of a property of a random model.
struct RandomType: Sendable {
    enum Base: Sendable {
        case bool, int, float, double, string, data, date, decimal, objectID, uuid, any
    }
    enum Container: Sendable { case single, list, set, map }

    let type: any _Persistable.Type
    let base: Base
    var container = Container.single
    var isOptional = false
    var width = 64

    static let all: [RandomType] =
        [
            RandomType(type: Bool.self, base: .bool),
            RandomType(type: Bool?.self, base: .bool, isOptional: true),
            RandomType(type: Int.self, base: .int),
            RandomType(type: Int?.self, base: .int, isOptional: true),
            RandomType(type: Int8.self, base: .int, width: 8),
            RandomType(type: Int8?.self, base: .int, isOptional: true, width: 8),
            RandomType(type: Int16.self, base: .int, width: 16),
            RandomType(type: Int32?.self, base: .int, isOptional: true, width: 32),
            RandomType(type: Float.self, base: .float),
            RandomType(type: Double.self, base: .double),
            RandomType(type: Double?.self, base: .double, isOptional: true),
            RandomType(type: String.self, base: .string),
            RandomType(type: String?.self, base: .string, isOptional: true),
            RandomType(type: Data.self, base: .data),
            RandomType(type: Data?.self, base: .data, isOptional: true),
            RandomType(type: Date?.self, base: .date, isOptional: true),
            RandomType(type: Decimal128.self, base: .decimal),
            RandomType(type: Decimal128?.self, base: .decimal, isOptional: true),
            RandomType(type: ObjectId?.self, base: .objectID, isOptional: true),
            RandomType(type: UUID?.self, base: .uuid, isOptional: true),
            RandomType(type: AnyRealmValue.self, base: .any, isOptional: true),
        ] + collections

    private static let collections = [
        RandomType(type: List<Int>.self, base: .int, container: .list),
        RandomType(type: List<Int?>.self, base: .int, container: .list, isOptional: true),
        RandomType(type: List<Int16>.self, base: .int, container: .list, width: 16),
        RandomType(type: List<String>.self, base: .string, container: .list),
        RandomType(type: List<String?>.self, base: .string, container: .list, isOptional: true),
        RandomType(type: List<AnyRealmValue>.self, base: .any, container: .list, isOptional: true),
        RandomType(type: MutableSet<Int>.self, base: .int, container: .set),
        RandomType(type: MutableSet<Int?>.self, base: .int, container: .set, isOptional: true),
        RandomType(type: MutableSet<String>.self, base: .string, container: .set),
        RandomType(type: Map<String, Int>.self, base: .int, container: .map),
        RandomType(type: Map<String, Int?>.self, base: .int, container: .map, isOptional: true),
        RandomType(type: Map<String, Double>.self, base: .double, container: .map),
        RandomType(
            type: Map<String, Data?>.self, base: .data, container: .map, isOptional: true),
    ]

    /// Whether a migration keeps the values of a property that had another type.
    func keepsValues(of old: RandomType) -> Bool {
        base == old.base && container == old.container
    }

    /// Whether a property of this type can have the values of a renamed one.
    func fitsRenamed(_ old: RandomType) -> Bool {
        keepsValues(of: old) && width == old.width && (isOptional || !old.isOptional)
    }

    /// The value that a property has unless it is set.
    var initial: RowValue {
        switch container {
        case .single: .single(isOptional ? nil : filler)
        case .list: .list([])
        case .set: .set([])
        case .map: .map([:])
        }
    }

    /// The text of the value that replaces nil.
    private var filler: String? {
        switch base {
        case .bool: "false"
        case .int, .decimal: "0"
        case .float, .double: "0.0"
        case .string, .data: ""
        case .date, .objectID, .uuid, .any: nil
        }
    }

    /// Returns a value of a property with another type whose values are kept.
    func kept(_ value: RowValue) -> RowValue {
        guard !isOptional else { return value }
        return switch value {
        case .single(let text): .single(text ?? filler)
        case .list(let texts): .list(texts.map { $0 ?? filler })
        case .set(let texts): .set(texts.filter { $0 != nil })
        case .map(let texts): .map(texts.mapValues { $0 ?? filler })
        case .links: value
        }
    }

    // MARK: Values

    /// Returns a random value, as a program sets it and as a plain value.
    func random(_ generator: inout SplitMix64) -> (value: Any?, plain: RowValue) {
        let count = container == .single ? 1 : Int.random(in: 0...3, using: &generator)
        let elements = (0..<count).map { _ in element(&generator) }
        let texts = elements.map(\.text)
        switch container {
        case .single: return (elements[0].value, .single(texts[0]))
        case .list: return (elements.map(\.value), .list(texts))
        case .set: return (elements.map(\.value), .set(Set(texts)))
        case .map:
            let keys = ["k", "l", "m"].prefix(count)
            return (
                Dictionary(uniqueKeysWithValues: zip(keys, elements.map(\.value))),
                .map(Dictionary(uniqueKeysWithValues: zip(keys, texts)))
            )
        }
    }

    private func element(_ generator: inout SplitMix64) -> (value: Any?, text: String?) {
        guard !isOptional || !generator.happens(oneIn: 4) else {
            return base == .any ? (AnyRealmValue.none, nil) : (nil, nil)
        }
        let number = Int.random(in: -100...100, using: &generator)
        let value: Any =
            switch base {
            case .bool: number % 2 == 0
            case .int: number
            case .float: Float(number) / 4
            case .double: Double(number) / 4
            case .string: "text \(number)"
            case .data: Data([UInt8(truncatingIfNeeded: number), 7])
            case .date: Date(timeIntervalSince1970: Double(number))
            case .decimal: Decimal128(value: "\(number)")
            case .objectID: Self.objectID(number)
            case .uuid:
                UUID(
                    uuid: (
                        UInt8(truncatingIfNeeded: number), 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4,
                        5
                    ))
            case .any:
                number % 2 == 0 ? AnyRealmValue.int(number) : AnyRealmValue.string("any \(number)")
            }
        return (value, RowValue.text(of: value))
    }

    /// Returns an object id that depends on a number only.
    private static func objectID(_ number: Int) -> ObjectId {
        let digits = String(UInt8(truncatingIfNeeded: number), radix: 16)
        let text = String(repeating: "0", count: 24 - digits.count) + digits
        return (try? ObjectId(string: text)) ?? ObjectId()
    }
}
