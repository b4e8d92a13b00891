/// A query about the flights, in every language.
///
/// Null sorts before all values in Firn, so the others are set to do the same where it matters.
/// Each database gets the form that it answers fastest.
struct FlightsQuery {
    let name: String
    let firn: String
    let sqlite: String
    let duckdb: String

    init(_ name: String, firn: String, sql: String) {
        self.init(name, firn: firn, sqlite: sql, duckdb: sql)
    }

    init(_ name: String, firn: String, sqlite: String, duckdb: String) {
        self.name = name
        self.firn = firn
        self.sqlite = sqlite
        self.duckdb = duckdb
    }

    /// Hardly any work: the rest is starting, opening and ending.
    static let trivial = FlightsQuery(
        "start and trivial query", firn: "Flight LIMIT(1) | select(carrier)",
        sql: "SELECT carrier FROM flights LIMIT 1")

    static let all = [
        FlightsQuery(
            "Q1 dep_delay > 60, count", firn: "Flight dep_delay > 60 | count",
            sql: "SELECT count(*) FROM flights WHERE dep_delay > 60"),
        FlightsQuery(
            "Q2 filter, sort, first 10, all columns",
            firn: #"Flight origin == "JFK" AND dep_delay > 60 SORT(arr_delay DESC) LIMIT(10)"#,
            sql: """
                SELECT * FROM flights WHERE origin = 'JFK' AND dep_delay > 60 \
                ORDER BY arr_delay DESC NULLS LAST LIMIT 10
                """),
        FlightsQuery(
            "Q3 tailnum BEGINSWITH, count", firn: #"Flight tailnum BEGINSWITH "N7" | count"#,
            sql: "SELECT count(*) FROM flights WHERE tailnum >= 'N7' AND tailnum < 'N8'"),
        FlightsQuery(
            "Q4 dest CONTAINS[c], count", firn: #"Flight dest CONTAINS[c] "a" | count"#,
            sqlite: "SELECT count(*) FROM flights WHERE dest LIKE '%a%'",
            duckdb: "SELECT count(*) FROM flights WHERE dest ILIKE '%a%'"),
        FlightsQuery(
            "Q5 average of one carrier",
            firn: #"Flight carrier == "UA" | select(@avg.arr_delay AS mean)"#,
            sql: "SELECT avg(arr_delay) FROM flights WHERE carrier = 'UA'"),
        FlightsQuery(
            "Q7 distinct carrier", firn: "Flight DISTINCT(carrier) | select(carrier)",
            sql: "SELECT DISTINCT carrier FROM flights"),
        FlightsQuery(
            "Q8 sort by two, first 100",
            firn: "Flight SORT(distance DESC, dep_delay ASC) LIMIT(100)",
            sql: """
                SELECT * FROM flights \
                ORDER BY distance DESC NULLS LAST, dep_delay ASC NULLS FIRST LIMIT 100
                """),
    ]
}
