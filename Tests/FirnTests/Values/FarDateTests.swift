import FirnValues
import Foundation
import Testing

@testable import Firn

@Suite("Very distant dates")
struct FarDateTests {
    final class Moment: Object {
        @Persisted var time = Date(timeIntervalSince1970: 0)
    }

    private func stored(_ time: Date) throws -> Date {
        let realm = try makeRealm([Moment.self])
        try realm.write { _ = realm.create(Moment.self, value: ["time": time]) }
        return try #require(realm.objects(Moment.self).first).time
    }

    /// It did not fit an Int64, and stopped the program when it was set.
    @Test("A date out of range is stored as a far distant date, and NaN as the start of 1970")
    func endless() throws {
        #expect(try stored(Date(timeIntervalSince1970: .infinity)) > .distantFuture)
        #expect(try stored(Date(timeIntervalSince1970: -.infinity)) < .distantPast)
        #expect(try stored(Date(timeIntervalSince1970: 1e300)) > .distantFuture)
        #expect(try stored(Date(timeIntervalSince1970: -1e300)) < .distantPast)
        #expect(try stored(Date(timeIntervalSince1970: .nan)) == Date(timeIntervalSince1970: 0))
        // The last ones whose seconds since 2001 fit an Int64.
        let last = Date(timeIntervalSinceReferenceDate: 0x1p63.nextDown)
        #expect(try stored(last) > .distantFuture)
        #expect(try stored(Date(timeIntervalSinceReferenceDate: -0x1p63)) < .distantPast)
        #expect(try stored(.distantPast) == .distantPast)
    }

    @Test("A far distant date is read from a file that another program wrote")
    func read() {
        #expect(Date(Timestamp(seconds: .min)) < .distantPast)
        #expect(Date(Timestamp(seconds: .max)) > .distantFuture)
    }
}
