import Firn
import Foundation

/// A class with a property of every single-valued type.
class Parcel: Object {
    @Persisted(primaryKey: true) var code = 0
    @Persisted var flag: Bool
    @Persisted var tiny: Int8
    @Persisted var short: Int16
    @Persisted var middle: Int32
    @Persisted var long: Int64
    @Persisted var small: Float
    @Persisted var large: Double
    @Persisted var text: String
    @Persisted var bytes: Data
    @Persisted var moment: Date
    @Persisted var identity: Foundation.UUID
    @Persisted var mark: ObjectId
    @Persisted var price: Decimal128
    @Persisted var kind: LedgerKind
    @Persisted var cents: Cents
    @Persisted var anything: AnyRealmValue
    @Persisted var maybeFlag: Bool?
    @Persisted var maybeTiny: Int8?
    @Persisted var maybeLong: Int64?
    @Persisted var maybeSmall: Float?
    @Persisted var maybeLarge: Double?
    @Persisted var maybeText: String?
    @Persisted var maybeBytes: Data?
    @Persisted var maybeMoment: Date?
    @Persisted var maybeIdentity: Foundation.UUID?
    @Persisted var maybeMark: ObjectId?
    @Persisted var maybePrice: Decimal128?
    @Persisted var maybeKind: LedgerKind?
    let box = RealmProperty<Int?>()

    /// The values of all properties, as text.
    ///
    /// Times have microseconds: a Date is a Double.
    var contents: [String] {
        let required: [Any] = [
            code, flag, tiny, short, middle, long, small, large, text, bytes.map { $0 },
            Int64(moment.timeIntervalSince1970 * 1e6), identity, mark, price, kind, cents.amount,
            anything,
        ]
        let optional: [Any?] = [
            maybeFlag, maybeTiny, maybeLong, maybeSmall, maybeLarge, maybeText,
            maybeBytes.map { $0.map { $0 } }, maybeMoment?.timeIntervalSince1970, maybeIdentity,
            maybeMark, maybePrice, maybeKind, box.value,
        ]
        return required.map { "\($0)" } + optional.map { $0.map { "\($0)" } ?? "nil" }
    }

    /// Sets all properties to values other than their initial ones.
    func fill(_ number: Int) {
        code = number
        flag = true
        tiny = -8
        short = -16
        middle = -32
        long = .min
        small = 1.25
        large = -2.5
        text = "a text that is longer than a word of the machine \(number)"
        bytes = Data([1, 2, 3, 255])
        moment = Date(timeIntervalSince1970: 86_400)
        identity = Foundation.UUID()
        mark = .generate()
        price = Decimal128(floatLiteral: 12.5)
        kind = .closed
        cents = Cents(99)
        anything = .string("anything")
        maybeFlag = false
        maybeTiny = 8
        maybeLong = .max
        maybeSmall = -1.25
        maybeLarge = 2.5
        maybeText = "short"
        maybeBytes = Data()
        maybeMoment = Date(timeIntervalSince1970: -1)
        maybeIdentity = Foundation.UUID()
        maybeMark = .generate()
        maybePrice = Decimal128(floatLiteral: -0.5)
        maybeKind = .open
        box.value = 4
    }
}

/// A class with links of every kind to its own class.
class Knot: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var weight = 0
    @Persisted var next: Knot?
    @Persisted var list: List<Knot>
    @Persisted var set: MutableSet<Knot>
    @Persisted var map: Map<String, Knot?>
    @Persisted var anything: AnyRealmValue
    @Persisted var hounds: List<Hound>
    @Persisted var tag: KnotTag?
    @Persisted(originProperty: "next") var before: LinkingObjects<Knot>

    convenience init(_ name: String, weight: Int = 0) {
        self.init()
        self.name = name
        self.weight = weight
    }
}

/// Embedded in a knot with a link back to it.
class KnotTag: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var owner: Knot?
}

/// A class with a column that ``NarrowCrate`` lacks, and that class.
class WideCrate: Object {
    @Persisted var first = 1
    @Persisted var middle = "wide"
    @Persisted var last = 3

    override class func className() -> String { "Crate" }
}

class NarrowCrate: Object {
    @Persisted var last = 30
    @Persisted var first = 10

    override class func className() -> String { "Crate" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
