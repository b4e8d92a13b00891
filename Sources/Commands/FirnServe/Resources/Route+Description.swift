import FirnFormats
import FirnTools
import NIOHTTP1

extension Route {
    static let description: Route = Route(
        method: .GET, path: "/v1/openapi.json", name: "describe",
        summary: "Return this description of the interface.", types: ["application/json"],
        effort: .short
    ) { call throws(Problem) in
        let text = OpenAPI.document(call.service.router.routes).text
        call.exchange.respond(Response(.ok, type: "application/json", Array(text.utf8)))
    }
}

/// The description of the interface for generators and tests (OpenAPI 3.1).
enum OpenAPI {
    static func document(_ routes: [Route]) -> JSONObject {
        var info = JSONObject()
        info.add("title", "firn serve")
        info.add("version", FirnCommand.version)
        info.add(
            "description",
            "Queries, live streams and writes of Firn databases; see firn-serve(1).")
        var paths = JSONObject()
        for route in routes {
            var methods = JSONObject()
            methods.add(route.method.rawValue.lowercased(), operation(route))
            paths.add(route.path, methods)
        }
        var document = JSONObject()
        document.add("openapi", "3.1.0")
        document.add("info", info)
        document.add("paths", paths)
        document.add("components", components)
        var bearer = JSONObject()
        bearer.add("token", [String]())
        document.add("security", [bearer])
        return document
    }

    private static func operation(_ route: Route) -> JSONObject {
        var operation = JSONObject()
        operation.add("operationId", route.name)
        operation.add("summary", route.summary)
        if !route.parameters.isEmpty {
            operation.add("parameters", route.parameters.map(parameter))
        }
        if let body = route.body {
            var json = JSONObject()
            json.add("description", body.meaning)
            json.add("required", true)
            json.add("content", content(body.types))
            operation.add("requestBody", json)
        }
        var responses = JSONObject()
        var success = JSONObject()
        success.add("description", "The result.")
        success.add("content", content(route.types))
        responses.add("200", success)
        var problem = JSONObject()
        problem.add("$ref", "#/components/responses/Problem")
        responses.add("default", problem)
        operation.add("responses", responses)
        return operation
    }

    private static func parameter(_ parameter: Parameter) -> JSONObject {
        var json = JSONObject()
        json.add("name", parameter.name)
        json.add("in", "query")
        json.add("description", parameter.meaning)
        json.add("required", parameter.isRequired)
        var schema = schema(of: parameter.form)
        if parameter.isRepeatable {
            var array = JSONObject()
            array.add("type", "array")
            array.add("items", schema)
            schema = array
        }
        json.add("schema", schema)
        return json
    }

    private static func schema(of form: Parameter.Form) -> JSONObject {
        var schema = JSONObject()
        switch form {
        case .text: schema.add("type", "string")
        case .count(let range):
            schema.add("type", "integer")
            schema.add("minimum", Int64(range.lowerBound))
            schema.add("maximum", Int64(range.upperBound))
        case .choice(let words):
            schema.add("type", "string")
            schema.add("enum", words)
        case .flag: schema.add("type", "boolean")
        }
        return schema
    }

    private static func content(_ types: [String]) -> JSONObject {
        var content = JSONObject()
        for type in types { content.add(type, JSONObject()) }
        return content
    }

    private static var components: JSONObject {
        var problem = JSONObject()
        problem.add(
            "description", "An error as a problem document (RFC 9457), with its slug in code.")
        problem.add("content", content(["application/problem+json"]))
        var responses = JSONObject()
        responses.add("Problem", problem)
        var bearer = JSONObject()
        bearer.add("type", "http")
        bearer.add("scheme", "bearer")
        var schemes = JSONObject()
        schemes.add("token", bearer)
        var components = JSONObject()
        components.add("responses", responses)
        components.add("securitySchemes", schemes)
        return components
    }
}
