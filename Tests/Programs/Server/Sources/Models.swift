import Firn
import Foundation

/// A page and the number of its visits.
final class Page: Object {
    @Persisted(primaryKey: true) var path: String
    @Persisted(indexed: true) var visits: Int
    @Persisted var lastVisit: Date
}
