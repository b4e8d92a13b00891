import FirnFormats
import FirnTools
import FirnValues
import NIOHTTP1

/// A table of routes, from which the OpenAPI document is also generated.
struct Router: Sendable {
    let routes: [Route]

    /// Finds the route of a request.
    ///
    /// - Throws: ``Problem`` with 404 or 405.
    func route(_ method: HTTPMethod, _ path: String) throws(Problem) -> Route {
        let here = routes.filter { $0.path.hasSameBytes(as: path) }
        guard !here.isEmpty else {
            throw Problem(
                .notFound, .usageArguments,
                "there is nothing at \(SafeText.excerpt(of: path.utf8))",
                remedy: "see: /v1/openapi.json")
        }
        // A response without its body is made by the exchange.
        let wanted = method == .HEAD ? .GET : method
        guard let route = here.first(where: { $0.method == wanted }) else {
            let methods = here.flatMap { $0.method == .GET ? [.GET, .HEAD] : [$0.method] }
            var problem = Problem(
                .methodNotAllowed, .usageArguments,
                "\(path) does not accept \(SafeText.excerpt(of: method.rawValue.utf8))",
                remedy: "use \(methods.map(\.rawValue).joined(separator: " or "))")
            problem.allowedMethods = methods
            throw problem
        }
        return route
    }
}
