import Firn
import Foundation

/// The answers to requests.
///
///     POST /visits/NAME    counts a visit
///     GET  /visits/NAME    the number of visits
///     GET  /top            the five pages with the most visits
///
/// Each request opens a realm on the thread that it runs on, and drops it at the end: a realm must not
/// move to another thread, and the threads of a server do not wait for changes.
struct Visits: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: String
    }

    let configuration: Realm.Configuration

    func answer(_ method: String, _ path: String) throws -> Answer {
        let parts = path.split(separator: "/").map(String.init)
        let realm = try Realm(configuration: configuration)
        switch (method, parts.first, parts.dropFirst().first) {
        case ("POST", "visits", let name?):
            return try realm.write {
                let page = realm.create(Page.self, value: ["path": name], update: .modified)
                page.visits += 1
                page.lastVisit = Date()
                return Answer(status: 200, body: "\(page.visits)\n")
            }
        case ("GET", "visits", let name?):
            guard let page = realm.object(ofType: Page.self, forPrimaryKey: name) else {
                return Answer(status: 404, body: "no visits\n")
            }
            return Answer(status: 200, body: "\(page.visits)\n")
        case ("GET", "top", nil):
            let pages = realm.objects(Page.self).sorted(byKeyPath: "visits", ascending: false)
            let lines = pages.prefix(5).map { "\($0.visits) \($0.path)\n" }
            return Answer(status: 200, body: lines.joined())
        default: return Answer(status: 404, body: "no such resource\n")
        }
    }
}
