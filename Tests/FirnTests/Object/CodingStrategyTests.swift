// A Codable model ignored `dateDecodingStrategy`, `dataEncodingStrategy` and similar: `@Persisted`
// let the value decode itself, but a coder applies its strategies only to values that its
// containers read. Realm reads the value out of a single-value container.

import Firn
import Foundation
import Testing

private class Event: Object, Codable {
    @Persisted var at: Date
    @Persisted var ended: Date?
    @Persisted var bytes: Data
    @Persisted var more: Data?
    @Persisted var dates: List<Date>
    @Persisted var byName: Map<String, Date>
    @Persisted var weight: Double
    @Persisted var place: EventPlace?
}

private class EventPlace: EmbeddedObject, Codable {
    @Persisted var opened: Date
}

@Suite("Coding strategies of models")
struct CodingStrategyTests {
    private static let text = """
        {"at":"1970-01-01T00:00:01Z","byName":{"a":"1970-01-01T00:00:02Z"},"bytes":"hex 0a0b",\
        "dates":["1970-01-01T00:00:03Z"],"ended":"1970-01-01T00:00:04Z","more":"hex ff",\
        "place":{"opened":"1970-01-01T00:00:05Z"},"weight":"inf"}
        """

    private func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            var bytes: [UInt8] = []
            var digits = text.dropFirst(4)
            while !digits.isEmpty {
                bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
                digits = digits.dropFirst(2)
            }
            return Data(bytes)
        }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    @Test("A model is decoded with the strategies of its decoder")
    func decoding() throws {
        let event = try decoder().decode(Event.self, from: Data(Self.text.utf8))
        #expect(event.at == Date(timeIntervalSince1970: 1))
        #expect(event.ended == Date(timeIntervalSince1970: 4))
        #expect(event.bytes == Data([10, 11]))
        #expect(event.more == Data([255]))
        #expect(Array(event.dates) == [Date(timeIntervalSince1970: 3)])
        #expect(event.byName["a"] == Date(timeIntervalSince1970: 2))
        #expect(event.place?.opened == Date(timeIntervalSince1970: 5))
        #expect(event.weight == .infinity)
    }

    @Test("A model is encoded with the strategies of its encoder")
    func encoding() throws {
        let event = try decoder().decode(Event.self, from: Data(Self.text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            try container.encode("hex " + digits.joined())
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == Self.text)
    }

    @Test("A null and a missing key both become nil")
    func nulls() throws {
        let text = """
            {"at":0,"byName":{},"bytes":"","dates":[],"ended":null,"weight":1}
            """
        let event = try JSONDecoder().decode(Event.self, from: Data(text.utf8))
        #expect(event.ended == nil && event.more == nil && event.place == nil)
    }
}
