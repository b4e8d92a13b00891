import Firn
import Foundation
import Testing

/// A class with a property of each type that JSON represents by numbers and Booleans.
class Reading: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted(primaryKey: true) var id = 0
    @Persisted var count = 0
    @Persisted var maybeCount: Int?
    @Persisted var small: Int8
    @Persisted var flag = false
    @Persisted var maybeFlag: Bool?
    @Persisted var float: Float
    @Persisted var double = 0.0
    @Persisted var maybeDouble: Double?
    @Persisted var decimal: Decimal128
    @Persisted var size = Size.small
    @Persisted var any: AnyRealmValue
    @Persisted var counts: List<Int>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var byName: Map<String, Double>
}

/// A value of Foundation's JSON is an `NSNumber`, which casts to everything: the number 1 became
/// `true` in a property of any type, `true` became the integer 1, and 3.5 a Float.
@Suite("Values from JSON")
struct JSONValuesTests {
    private static func object(_ json: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.utf8))
    }

    private let realm: Realm

    init() throws { realm = try makeRealm([Reading.self]) }

    private func create(_ json: String) throws -> Reading {
        let value = try JSONValuesTests.object(json)
        return try realm.write { realm.create(Reading.self, value: value, update: .modified) }
    }

    @Test("In a property of type Any, numbers and Booleans keep their type")
    func any() throws {
        let reading = try create(
            #"{"id": 1, "anys": [0, 1, true, false, -7, 3.5, 3.0, "x", null, [1, true], {"a": 0}]}"#
        )
        #expect(
            Array(Array(reading.anys)[..<9]) == [
                .int(0), .int(1), .bool(true), .bool(false), .int(-7), .double(3.5), .double(3),
                .string("x"), .none,
            ])
        #expect(reading.anys[9].listValue.map { Array($0) } == [.int(1), .bool(true)])
        #expect(reading.anys[10].dictionaryValue?["a"] == .int(0))
        for (text, value) in [
            ("0", AnyRealmValue.int(0)), ("1", .int(1)), ("true", .bool(true)),
            ("false", .bool(false)),
        ] {
            #expect(try create(#"{"id": 2, "any": \#(text)}"#).any == value)
        }
        // The form in a dictionary.
        let values = try #require(try JSONValuesTests.object(#"{"x": 1}"#) as? [String: Any])
        let one = Reading(value: ["any": values["x"] as Any])
        #expect(one.any == .int(1))
        #expect(Reading(value: ["any": 1]).any == .int(1))
        #expect(Reading(value: ["any": true]).any == .bool(true))
        #expect(Reading(value: ["any": NSNumber(value: Float(0.5))]).any == .float(0.5))
        #expect(Reading(value: ["any": NSDecimalNumber(string: "0.10")]).any == .decimal128("0.1"))
    }

    @Test("Numbers convert to all types that represent them exactly")
    func numbers() throws {
        let reading = try create(
            """
            {"id": 1, "count": 3.0, "maybeCount": 1, "small": -128, "float": 0.1, "double": 3,
             "maybeDouble": 1, "decimal": 0.1, "size": 1000, "counts": [0, 1, 2.0], "flag": true,
             "maybeFlag": false, "byName": {"a": 1, "b": 0.5}}
            """)
        #expect(reading.count == 3 && reading.maybeCount == 1 && reading.small == -128)
        #expect(reading.float == 0.1 && reading.double == 3 && reading.maybeDouble == 1)
        #expect(reading.decimal == "0.1" && reading.size == .large)
        #expect(Array(reading.counts) == [0, 1, 2])
        #expect(reading.flag && reading.maybeFlag == false)
        #expect(reading.byName["a"] == 1 && reading.byName["b"] == 0.5)
        let other = try create(
            #"{"id": 1, "maybeCount": null, "maybeFlag": null, "flag": 0, "decimal": 7}"#)
        #expect(other.maybeCount == nil && other.maybeFlag == nil && !other.flag)
        #expect(other.decimal == 7 && other.count == 3)
    }

    @Test("Properties of dynamic objects convert in the same way")
    func dynamic() throws {
        let value = try JSONValuesTests.object(
            #"{"id": 1, "count": 3.0, "flag": true, "any": 1, "anys": [true]}"#)
        let made = try realm.write { realm.dynamicCreate("Reading", value: value) }
        let reading = try #require(realm.object(ofType: Reading.self, forPrimaryKey: 1))
        #expect(made["id"] as? Int == 1)
        #expect(reading.count == 3 && reading.flag && reading.any == .int(1))
        #expect(Array(reading.anys) == [.bool(true)])
    }

    @Test("A value of another type stops the program")
    func otherTypes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"count": true}"#))
        }.says("is not a value for Reading.count, which is Int")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"maybeCount": true}"#))
        }.says("is not a value for Reading.maybeCount, which is Int?")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"count": 3.5}"#))
        }.says("3.5 is not a value for Reading.count, which is Int")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"small": 128}"#))
        }.says("128 is not a value for Reading.small, which is Int")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"double": false}"#))
        }.says("is not a value for Reading.double, which is Double")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"float": 1e300}"#))
        }.says("is not a value for Reading.float, which is Float")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"decimal": true}"#))
        }.says("is not a value for Reading.decimal, which is Decimal128")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"flag": 2}"#))
        }.says("2 is not a value for Reading.flag, which is Bool")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Reading(value: try JSONValuesTests.object(#"{"counts": [1, true]}"#))
        }.says("is not a value for Reading.counts, which is List<Int>")
    }
}
