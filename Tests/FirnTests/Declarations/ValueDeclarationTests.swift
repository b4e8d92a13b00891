// Each declaration of the types of values, used with the types that are printed in the documentation
// of the reference. Most of these tests fail by not compiling.

import Firn
import Foundation
import Testing

@Suite("Declarations of values")
struct ValueDeclarationTests {
    @Test("A value of any type has a case and an accessor for each type")
    func anyRealmValue() throws {
        let (date, id, uuid) = (Date(timeIntervalSince1970: 1), ObjectId(), UUID())
        let hound = Hound("Rex")
        #expect(AnyRealmValue() == .none)
        #expect(AnyRealmValue.int(3).intValue == 3 && AnyRealmValue.bool(true).boolValue == true)
        #expect(AnyRealmValue.float(1.5).floatValue == 1.5)
        #expect(AnyRealmValue.double(2.5).doubleValue == 2.5)
        #expect(AnyRealmValue.string("x").stringValue == "x")
        #expect(AnyRealmValue.data(Data([1])).dataValue == Data([1]))
        #expect(AnyRealmValue.date(date).dateValue == date)
        #expect(AnyRealmValue.objectId(id).objectIdValue == id)
        #expect(AnyRealmValue.decimal128(7).decimal128Value == 7)
        #expect(AnyRealmValue.uuid(uuid).uuidValue == uuid)
        #expect(AnyRealmValue.object(hound).object(Hound.self) === hound)
        #expect(AnyRealmValue.object(hound).dynamicObject == nil)
        let list: AnyRealmValue = .fromArray([.int(1), .none])
        let dictionary: AnyRealmValue = .fromDictionary(["a": list])
        let inner: List<AnyRealmValue>? = list.listValue
        let outer: Map<String, AnyRealmValue>? = dictionary.dictionaryValue
        #expect(inner?.count == 2 && outer?["a"]?.listValue?[0] == .int(1))
        #expect(AnyRealmValue.int(3).stringValue == nil && AnyRealmValue.none.intValue == nil)
        #expect(Set([AnyRealmValue.int(1), .int(1), .string("1")]).count == 2)
        if case .list = list, case .dictionary = dictionary { return }
        Issue.record("other cases")
    }

    @Test("A decimal number has the initializers and operators of the Realm API")
    func decimals() throws {
        let values: [Decimal128] = [
            Decimal128(value: 3), Decimal128(value: "3.0"), Decimal128(number: 3), 3, 3.0, "3",
            Decimal128(string: "3"), Decimal128(integerLiteral: 3), Decimal128(floatLiteral: 3),
            Decimal128(stringLiteral: "3"), Decimal128(value: Decimal(3)),
        ]
        #expect(values.allSatisfy { $0 == 3 } && Set(values).count == 1)
        #expect(Decimal128() == 0 && Decimal128(exactly: 7) == 7)
        #expect(Decimal128(string: "x").isNaN && !values[0].isNaN)
        #expect(!values[0].isSignaling && !values[0].isSignalingNaN)
        #expect(Decimal128.min < -1 && Decimal128.max > 1)
        var sum: Decimal128 = 1
        sum += 2
        sum -= 1
        sum *= 3
        #expect(sum == 6 && sum + 1 - 2 == 5 && sum * 2 / 4 == 3)
        #expect(sum > 5 && sum >= 6 && sum < 7 && sum <= 6)
        #expect((-sum).magnitude == 6)
        sum.negate()
        #expect(sum == -6)
        let distance: Decimal128.Stride = sum.distance(to: 1)
        #expect(distance == 7 && sum.advanced(by: 7) == 1)
        #expect(Decimal128("0.15").stringValue == "0.15" && values[0].description == "3")
        #expect(values[0].doubleValue == 3 && values[0].decimalValue == 3)
        let data = try JSONEncoder().encode([values[0]])
        #expect(String(decoding: data, as: UTF8.self) == #"["3"]"#)
        let decoded = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.5", 2]"#.utf8))
        #expect(decoded == [1.5, 2])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Decimal128].self, from: Data("[true]".utf8))
        }
        #expect(values[0].adding(1).subtracting(2).multiplying(by: 6).dividing(by: 4) == 3)
        #expect(values[0].isGreaterThan(2) && values[0].isLessThanOrEqual(to: 3))
    }

    @Test("An object id has the initializers and components of the Realm API")
    func objectIds() throws {
        let text = "0123456789abcdef01234567"
        let id = try ObjectId(string: text)
        #expect(id.stringValue == text && id.description == text)
        #expect(id == ObjectId("0123456789abcdef01234567"))
        #expect(ObjectId().stringValue == String(repeating: "0", count: 24))
        let error = #expect(throws: Realm.Error.self) { try ObjectId(string: "xyz") }
        #expect(error?.code == .invalidInput)
        let made = ObjectId(
            timestamp: Date(timeIntervalSince1970: 9), machineId: 10, processId: 20)
        #expect(made.timestamp == Date(timeIntervalSince1970: 9))
        #expect(ObjectId.generate() != ObjectId.generate())
        #expect(ObjectId() < id && id <= id && id > ObjectId() && id >= id)
        let data = try JSONEncoder().encode([id])
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
    }

    @Test("A property of the old style is a box with a value")
    func boxes() throws {
        let property = RealmProperty<Int?>()
        #expect(property.value == nil)
        property.value = 3
        let other = RealmProperty<Int?>()
        other.value = 3
        #expect(property == other && !property.description.isEmpty)
        let data = try JSONEncoder().encode(["a": property])
        #expect(
            try JSONDecoder().decode([String: RealmProperty<Int?>].self, from: data)["a"] == other)
        func allowed<T: RealmPropertyType>(_: T.Type) -> Int { 1 }
        let count =
            allowed(Int8?.self) + allowed(Float?.self) + allowed(Double?.self) + allowed(Bool?.self)
            + allowed(AnyRealmValue.self)
        #expect(count == 5)
    }

    @Test("Invalid regions and distances are refused")
    func regions() throws {
        let bern = try #require(GeoPoint(latitude: 47, longitude: 7))
        #expect(bern.latitude == 47 && bern.longitude == 7 && bern.altitude == 0)
        #expect(GeoPoint(latitude: 47, longitude: 7, altitude: 9)?.altitude == 9)
        for (latitude, longitude, altitude) in [(91.0, 0.0, 0.0), (0, 181, 0), (0, 0, -1)] {
            #expect(
                GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) == nil)
        }
        let oslo = try #require(GeoPoint(latitude: 60, longitude: 11))
        #expect(
            GeoBox(bottomLeft: bern, topRight: oslo)
                == GeoBox(bottomLeft: (47, 7), topRight: (60, 11)))
        let ring = [(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (0.0, 0.0)]
        #expect(GeoPolygon(outerRing: ring)?.outerRing.count == 4)
        #expect(
            GeoPolygon(outerRing: ring, holes: [(1, 2), (1, 3), (2, 3), (1, 2)])?.holes.count == 1)
        #expect(GeoPolygon(outerRing: Array(ring.prefix(3))) == nil)
        let points = ring.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
        #expect(GeoPolygon(outerRing: points) == GeoPolygon(outerRing: ring))
        let distance = try #require(Distance.kilometers(6378.137))
        #expect(abs(distance.radians - 1) < 0.01 && abs(distance.asMiles() - 3963) < 40)
        #expect(distance.asKilometers() > 6377 && distance.asDegrees() > 57)
        let none = [
            Distance.kilometers(-1), Distance.miles(-1), Distance.degrees(-1), Distance.radians(-1),
        ]
        #expect(none.allSatisfy { $0 == nil })
        #expect(GeoCircle(center: bern, radiusInRadians: 0.1)?.center == bern)
        #expect(GeoCircle(center: (47, 7), radius: distance)?.center == bern)
        #expect(GeoCircle(center: bern, radiusInRadians: -1) == nil)
    }

    @Test("Log messages have levels")
    func logging() {
        let levels: [LogLevel] = [
            .off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all,
        ]
        #expect(Set(levels).count == 9)
        let logger = Logger(level: .info) { (_: LogLevel, _: String) in }
        #expect(logger.level == .info)
        let shared: Logger = Logger.shared
        _ = shared
    }
}
