import FirnFormats
import FirnQuery
import FirnTools

/// All measurements, for programs.
struct JSONReport {
    private let rowCount: Int
    private var measurements: [JSONObject] = []
    private var comparisons: [JSONObject] = []
    private var remarks: [String] = []

    init(rowCount: Int) { self.rowCount = rowCount }

    var text: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "benchmarks")
        json.add("rows", Int64(rowCount))
        json.add("benchmarks", measurements)
        json.add("comparisons", comparisons)
        json.add("remarks", remarks)
        return json.text
    }

    mutating func add(_ measurements: [Measurement]) {
        for measurement in measurements {
            var json = JSONObject()
            json.add("name", measurement.name)
            JSONReport.add(measurement.time, "ns", to: &json)
            json.add("rows_per_s", Int64(measurement.rowsPerSecond))
            if let cost = measurement.cost {
                json.add("pages_total", Int64(cost.pagesTotal))
                json.add("pages_read", Int64(cost.pagesRead))
                json.add("bytes_decoded", Int64(clamping: cost.bytesDecoded))
            }
            self.measurements.append(json)
        }
    }

    mutating func add(_ rows: [ComparisonRow], contestants: [String]) {
        for row in rows {
            for (contestant, value) in zip(contestants, row.values) {
                guard let value else { continue }
                var json = JSONObject()
                json.add("work", row.work)
                json.add("contestant", contestant)
                JSONReport.add(value, row.unit == .bytes ? "bytes" : "ns", to: &json)
                comparisons.append(json)
            }
        }
    }

    mutating func add(remark: String) { remarks.append(remark) }

    private static func add(_ statistics: Statistics, _ unit: String, to json: inout JSONObject) {
        json.add("runs", Int64(statistics.count))
        json.add("median_\(unit)", Int64(clamping: statistics.median))
        json.add("min_\(unit)", Int64(clamping: statistics.minimum))
        json.add("p99_\(unit)", Int64(clamping: statistics.p99))
    }
}
